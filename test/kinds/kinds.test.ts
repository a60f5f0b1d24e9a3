import { expect } from 'chai';
import { kinds } from '../../apis/index.js';
import { ENVIRONMENT } from '../harness/server.js';
import { folder } from './examples/folder.js';
import type { KindExamples } from './examples.js';
import { kindSuite } from './kind-suite.js';

const EXAMPLES: Readonly<Record<string, KindExamples>> = { Folder: folder };

const served = kinds(ENVIRONMENT).filter((kind) => kind.served);

describe('examples for the conformance suite', () => {
  it('exist for every served kind, and for no other', () => {
    expect(Object.keys(EXAMPLES)).to.have.members(served.map(({ kind }) => kind));
  });
});

for (const kind of served) {
  const examples = EXAMPLES[kind.kind];
  if (examples !== undefined) kindSuite(kind, examples);
}
