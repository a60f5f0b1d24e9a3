import { expect } from 'chai';
import { IAM } from '../../apis/testing/cast.js';
import type { Kind } from '../../registry/kinds/kind.js';
import { type DefinitionOptions, define, versionOf } from '../custom/definition.js';
import { oneStore } from '../harness/stores.js';
import { type Cast, castOn } from './cast.js';
import { expectRow } from './expect-row.js';
import { kindTries, ROWS, subjectNamed } from './kinds-requests.js';

const plain = [versionOf('v1', undefined, { subresources: {} })];
/** A kind with everything that a definition can ask for, one with nothing of that, and one of the cluster. */
const CUSTOM: readonly DefinitionOptions[] = [
  {},
  { plural: 'plans', kind: 'Plan', words: {}, versions: plain },
  { plural: 'sites', kind: 'Site', words: {}, scope: 'Cluster', versions: plain },
];

/**
 * Whether a kind is another version of a kind, with the same permissions. A kind that is stored as one with another
 * name has its own rows.
 */
const isOtherVersion = ({ conversion, qualified, kind }: Kind, kinds: readonly Kind[]): boolean =>
  conversion !== undefined &&
  kinds.some((one) => one.qualified === qualified && one.kind === kind && one.conversion === undefined);

oneStore('permissions of the resource API', (server) => {
  let cast: Cast;
  let served: readonly Kind[];

  before(async () => {
    cast = await castOn(server());
    for (const custom of CUSTOM) await define(server, custom);
    // Kinds that nobody can write have no permissions on objects.
    const { kinds } = server().api.registry;
    served = kinds.filter((kind) => kind.served && kind.isReadOnly !== true && !isOtherVersion(kind, kinds));
    // Another administrator of the server, so that `root` is not the last one.
    await cast.made(IAM, 'User', 'chief', { login: 'chief', email: 'chief@example.com', grafanaAdmin: true });
  });

  // Promise: contract 7, specification 5
  it('have a row for each verb of every served kind and subresource, and no other rows', () => {
    const expected = served.flatMap(({ kind, verbs, subresources }) => [
      ...verbs.map((verb) => `${kind} ${verb}`),
      ...subresources.flatMap((one) => one.verbs.map((verb) => `${kind}/${one.name} ${verb}`)),
    ]);
    const tried = new Set(ROWS.map(({ what }) => what.replace(/\(\w+\)/, '')));
    expect([...tried].sort()).to.deep.equal(expected.sort());
  });

  for (const row of ROWS) {
    it(row.what, async () => {
      const [word = '', verb = ''] = row.what.split(' ');
      await expectRow(cast, row, kindTries(subjectNamed(served, word), cast, verb));
    });
  }
});
