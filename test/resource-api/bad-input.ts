import { expect } from 'chai';
import { changingNothing, expectStatus } from '../harness/resource.js';
import type { CallOptions, Server } from '../harness/server.js';
import { type Folders, foldersOf } from './folders.js';

export type Call = readonly [method: string, path: string, options?: CallOptions];
export type Refusal = readonly [what: string, call: Call, code: number, reason: string, message: RegExp | string];

export const GROUP = '/apis/folder.svc.app/v1beta1';
/** The collection in which the folder `kept` is. */
export const P = `${GROUP}/namespaces/default/folders`;
export const MERGE = { 'content-type': 'application/merge-patch+json' };

export const post = (body: unknown, options: CallOptions = {}): Call => ['POST', P, { ...options, body }];

/** A test for each row: the request is refused, and nothing has changed. */
export function refuseAll(server: () => Server, refusals: readonly Refusal[]): Folders {
  const folders = foldersOf(server);
  before(() => folders.make('kept', { labels: { a: 'b' } }));
  for (const [what, [method, path, options], code, reason, message] of refusals) {
    it(`${what}: ${code} ${reason}`, async () => {
      const before = await folders.read('kept');
      const answer = await changingNothing(server(), () => server().call(method, path, options));
      expectStatus(answer, code, reason, message);
      expect(answer.text.length, 'the answer is small').to.be.below(20_000);
      expect(await folders.read('kept')).to.deep.equal(before);
      expect(({} as { polluted?: unknown }).polluted).to.equal(undefined);
    });
  }
  return folders;
}
