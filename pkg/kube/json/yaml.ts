import { EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException } from 'js-yaml';
import { badRequest, tooDeep, tooManyValues } from '../status/errors.js';
import { ApiError } from '../status/status.js';
import { exactNumber } from './exact.js';
import { inexactNumber } from './inexact.js';
import { fieldPath } from './scan.js';
import { decimalOf, NOT_FINITE, plainValue, type Scalar, taggedValue } from './yaml-scalars.js';

const MAX_DUPLICATES = 100;
/** Each alias may repeat a large part of the document. */
const MAX_ALIASES = 100;
/**
 * So many values, and characters of them, may come from aliases. A document of a KiB could have 40,000 values
 * otherwise.
 */
const MAX_REPEATED = { values: 10_000, characters: 2 ** 22 };

export interface ParsedYaml {
  readonly value: unknown;
  readonly duplicates: readonly string[];
}

export interface YamlLimits {
  /** How deep collections may be nested, after aliases are expanded. */
  readonly depth: number;
  /** The number of scalars and collections, after aliases are expanded. */
  readonly values: number;
}

type Scalars = Extract<Event, { readonly type: typeof EVENT_ID.SCALAR }>;
type Collection = Extract<Event, { readonly type: typeof EVENT_ID.MAPPING | typeof EVENT_ID.SEQUENCE }>;

/**
 * Decodes one YAML document to a JSON value, as Kubernetes reads it: YAML 1.1 without dates and base-60 numbers. The
 * library parses; the conversion is by hand because its own loses the text of keys and does not report repeated keys.
 */
export function parseYaml(text: string, limits: YamlLimits): ParsedYaml {
  const events = eventsOf(text, limits);
  if (events.length === 0) return { value: null, duplicates: [] };
  const conversion = new Conversion(text, events, limits);
  return { value: conversion.document(), duplicates: [...conversion.duplicates] };
}

/** The events of the content of the document, without those of the document itself. */
function eventsOf(text: string, { depth }: YamlLimits): readonly Event[] {
  const events = parse(text, depth);
  let documents = 0;
  for (const event of events) {
    if (event.type !== EVENT_ID.DOCUMENT) continue;
    if (++documents > 1) throw badRequest('the body must be one YAML document, not several');
    if (event.directives.some(({ kind }) => kind === 'tag')) throw invalid('%TAG is not supported');
  }
  return events.slice(1, -1);
}

function parse(text: string, maxDepth: number): readonly Event[] {
  try {
    return parseEvents(text, { maxDepth });
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { reason, mark } = error;
    if (reason.startsWith('nesting exceeded')) throw tooDeep(maxDepth);
    throw invalid(mark === undefined ? reason : `line ${mark.line + 1}, column ${mark.column + 1}: ${reason}`, error);
  }
}

class Conversion {
  readonly duplicates = new Set<string>();
  readonly #text: string;
  readonly #events: readonly Event[];
  readonly #limits: YamlLimits;
  /** The index of the event that an alias stands for, by the index of the alias. */
  readonly #targets: ReadonlyMap<number, number>;
  readonly #path: (string | number)[] = [];
  #at = 0;
  #aliases = 0;
  #values = 0;
  /** How many aliases the value that is read is in. */
  #within = 0;
  readonly #repeated = { values: 0, characters: 0 };

  constructor(text: string, events: readonly Event[], limits: YamlLimits) {
    this.#text = text;
    this.#events = events;
    this.#limits = limits;
    this.#targets = targetsOf(text, events);
  }

  document(): unknown {
    return this.#value(0);
  }

  /** Always makes new values, so that two aliases of one anchor share nothing. */
  #value(depth: number): unknown {
    if (++this.#values > this.#limits.values) throw tooManyValues(this.#limits.values);
    const event = this.#next();
    if (this.#within > 0) this.#repeat(event);
    switch (event.type) {
      case EVENT_ID.SCALAR:
        return this.#scalar(event);
      case EVENT_ID.ALIAS:
        return this.#aliased(() => this.#value(depth));
      case EVENT_ID.MAPPING:
        return this.#map(event, depth + 1);
      case EVENT_ID.SEQUENCE:
        return this.#sequence(event, depth + 1);
      default:
        throw new Error('The YAML parser has left an event out.');
    }
  }

  #next(): Event {
    const event = this.#events[this.#at++];
    if (event === undefined) throw new Error('The YAML parser has left an event out.');
    return event;
  }

  /** Whether the collection ends here. */
  #ends(): boolean {
    if (this.#events[this.#at]?.type !== EVENT_ID.POP) return false;
    this.#at++;
    return true;
  }

  /** Reads the value of the anchor instead of the alias that was just read. */
  #aliased<T>(read: () => T): T {
    if (++this.#aliases > MAX_ALIASES) throw badRequest(`the body has more than ${MAX_ALIASES} YAML aliases`);
    const after = this.#at;
    this.#at = this.#targets.get(after - 1) ?? after;
    this.#within++;
    const value = read();
    this.#within--;
    this.#at = after;
    return value;
  }

  #repeat(event: Event): void {
    const repeated = this.#repeated;
    repeated.values++;
    if ('valueEnd' in event) repeated.characters += event.valueEnd - event.valueStart;
    if (repeated.values > MAX_REPEATED.values || repeated.characters > MAX_REPEATED.characters) throw repeatsTooMuch();
  }

  #scalar(event: Scalars): Scalar {
    const text = getScalarValue(this.#text, event);
    const isPlain = event.style === SCALAR_STYLE.PLAIN;
    const tag = event.tagStart === -1 ? undefined : this.#text.slice(event.tagStart, event.tagEnd);
    const value = tag !== undefined ? taggedValue(text, tag) : isPlain ? plainValue(text) : text;
    if (typeof value !== 'number') return value;
    if (Number.isNaN(value) || NOT_FINITE.test(text)) throw badRequest(`${this.#here()} has no JSON form: ${value}`);
    const exact = exactNumber(decimalOf(text));
    if (exact === undefined) throw inexactNumber(fieldPath(this.#path), text);
    return typeof exact === 'bigint' ? exact : value;
  }

  #sequence(event: Collection, depth: number): readonly unknown[] {
    this.#enter(event, 'seq', depth);
    const elements: unknown[] = [];
    while (!this.#ends()) elements.push(this.#member(elements.length, depth));
    return elements;
  }

  #map(event: Collection, depth: number): Record<string, unknown> {
    this.#enter(event, 'map', depth);
    const own = new Map<string, unknown>();
    const merged = new Map<string, unknown>();
    while (!this.#ends()) {
      if (this.#isMergeKey()) this.#merge(depth, merged);
      else this.#pair(own, depth);
    }
    return Object.fromEntries(merged.size === 0 ? own : [...merged, ...own]);
  }

  #enter({ tagStart, tagEnd }: Collection, type: string, depth: number): void {
    if (depth > this.#limits.depth) throw tooDeep(this.#limits.depth);
    const tag = tagStart === -1 ? '' : this.#text.slice(tagStart, tagEnd);
    if (tag.startsWith('!!') && tag !== `!!${type}`) throw invalid(`${tag.slice(0, 100)} has no JSON form`);
  }

  #pair(own: Map<string, unknown>, depth: number): void {
    const name = this.#key();
    if (own.has(name) && this.duplicates.size < MAX_DUPLICATES) this.duplicates.add(fieldPath([...this.#path, name]));
    own.set(name, this.#member(name, depth));
  }

  /** A quoted `<<` is an ordinary key. */
  #isMergeKey(): boolean {
    const event = this.#events[this.#at];
    if (event?.type !== EVENT_ID.SCALAR || event.style !== SCALAR_STYLE.PLAIN || event.tagStart !== -1) return false;
    if (getScalarValue(this.#text, event) !== '<<') return false;
    this.#at++;
    return true;
  }

  /**
   * `<<` adds the members of the named mappings. Earlier mappings win over later ones, and the mapping's own members
   * over all.
   */
  #merge(depth: number, into: Map<string, unknown>): void {
    const source = this.#value(depth);
    for (const members of Array.isArray(source) ? source : [source]) {
      if (typeof members !== 'object' || members === null || Array.isArray(members)) {
        throw invalid('<< must name a mapping or a list of mappings');
      }
      for (const [name, member] of Object.entries(members)) if (!into.has(name)) into.set(name, member);
    }
  }

  #member(step: string | number, depth: number): unknown {
    this.#path.push(step);
    const value = this.#value(depth);
    this.#path.pop();
    return value;
  }

  /** Keys keep their text: the key `y` of a panel's position is not a boolean. */
  #key(): string {
    const event = this.#next();
    if (this.#within > 0) this.#repeat(event);
    if (event.type === EVENT_ID.SCALAR) return getScalarValue(this.#text, event);
    if (event.type === EVENT_ID.ALIAS) return this.#aliased(() => this.#key());
    throw invalid(`the keys of ${this.#here()} must be scalars`);
  }

  #here(): string {
    return this.#path.length === 0 ? 'the body' : fieldPath(this.#path);
  }
}

/** An alias stands for the last anchor of its name before it. */
function targetsOf(text: string, events: readonly Event[]): ReadonlyMap<number, number> {
  const anchors = new Map<string, number>();
  const targets = new Map<number, number>();
  for (const [index, event] of events.entries()) {
    if (!('anchorStart' in event) || event.anchorStart === -1) continue;
    const name = text.slice(event.anchorStart, event.anchorEnd);
    if (event.type !== EVENT_ID.ALIAS) {
      anchors.set(name, index);
      continue;
    }
    const target = anchors.get(name);
    if (target === undefined) throw invalid(`unknown alias *${name.slice(0, 100)}`);
    targets.set(index, target);
  }
  return targets;
}

const invalid = (why: string, cause?: unknown): Error => badRequest(`the body is not valid YAML: ${why}`, cause);

function repeatsTooMuch(): ApiError {
  const { values, characters } = MAX_REPEATED;
  const message = `Request entity too large: the aliases of the body repeat more than ${values} values or ${characters} characters`;
  return new ApiError({ code: 413, reason: 'RequestEntityTooLarge', message });
}
