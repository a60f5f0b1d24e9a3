import { expect } from 'chai';
import type { Fields } from '../../pkg/kube/fieldmanager/fields.js';
import type { ManagedFieldsEntry } from '../../pkg/kube/meta/types.js';
import type { Answer } from '../harness/answer.js';
import type { Body } from '../harness/body.js';
import type { Server } from '../harness/server.js';

export interface ApplyOptions {
  readonly manager?: string;
  readonly query?: Readonly<Record<string, string | boolean>>;
}

/** A function that sends applies to this path. */
export function applyAt(server: () => Server, path: string) {
  return (name: string, body: unknown, { manager = 'one', query = {} }: ApplyOptions = {}): Promise<Answer> =>
    server().call('PATCH', `${path}/${name}`, {
      body,
      headers: { 'content-type': 'application/apply-patch+yaml' },
      query: { fieldManager: manager, ...query },
    });
}

/** The managedFields of an answer, by manager, operation and subresource. */
export function managersOf({ metadata }: Body): Readonly<Record<string, Fields>> {
  const entries = (metadata as { readonly managedFields?: readonly ManagedFieldsEntry[] }).managedFields ?? [];
  return Object.fromEntries(
    entries.map(({ manager, operation, subresource, fieldsV1 }) => [
      [manager, operation, subresource].filter((part) => part !== undefined).join(' '),
      fieldsV1 as Fields,
    ]),
  );
}

/** Expects 409 with exactly these fields of other managers. */
export function expectConflicts(answer: Answer, message: string, fields: readonly string[]): void {
  expect(answer.status, answer.text).to.equal(409);
  const status = answer.json() as unknown as {
    readonly reason: string;
    readonly message: string;
    readonly details: { readonly causes: readonly { readonly reason: string; readonly field: string }[] };
  };
  expect(status.reason).to.equal('Conflict');
  expect(status.message).to.equal(message);
  expect(status.details.causes.map(({ reason, field }) => [reason, field])).to.deep.equal(
    fields.map((field) => ['FieldManagerConflict', field]),
  );
}
