import type { Locator, Page } from 'playwright-core';
import type { Console, Person } from '../console.js';
import type { Writer } from '../content.js';

/** Who uses the console. The guest has not signed in, and anonymous callers are viewers. */
export const CALLERS = ['administrator', 'editor', 'viewer', 'guest'] as const;
export type Caller = (typeof CALLERS)[number];
/** Those who have an account, with their logins. */
export const LOGINS = { administrator: 'admin', editor: 'edith', viewer: 'vera' } as const;

/** One caller in front of the console. The server has a folder and a dashboard for each (`stage.ts`). */
export interface Scene {
  readonly caller: Caller;
  readonly person: Person;
  readonly page: Page;
  readonly running: Console;
  readonly write: Writer;
  /** The folder of the caller, which the editor administers. */
  readonly own: string;
  /** The dashboard in this folder. It has two versions. */
  readonly board: string;
  /** An object as it is stored. */
  stored<Body = StoredObject>(path: string): Promise<Body>;
  visit(place: string): Promise<void>;
  press(name: string | RegExp, around?: Page | Locator): Promise<void>;
  /** Chooses an entry of the menu of a button. */
  choose(button: string, item: string | RegExp): Promise<void>;
  /** Waits for a text. */
  reads(text: string | RegExp): Promise<void>;
  readonly main: Locator;
  readonly dialog: Locator;
}

export interface StoredObject {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec: Readonly<Record<string, unknown>>;
}

export type Step = (scene: Scene) => Promise<unknown>;
export type Cells = Readonly<Record<Caller, Step>>;

/** Something that people do in the console, and what it is like for each caller. */
export interface Job {
  readonly name: string;
  readonly cells: Cells;
}

export const everybody = (step: Step): Cells => ({ administrator: step, editor: step, viewer: step, guest: step });

/** A job of those who may write, which others are not offered. */
export const writers = (step: Step, others: Step): Cells => ({
  ...everybody(others),
  administrator: step,
  editor: step,
});

/** A job of administrators, which others are not offered. */
export const administrators = (step: Step, others: Step): Cells => ({ ...everybody(others), administrator: step });

/** A job of those who have an account. */
export const accounts = (step: Step, guest: Step): Cells => ({ ...everybody(step), guest });
