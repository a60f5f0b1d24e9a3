import { expect } from 'chai';
import { z } from 'zod';
import type { Kind } from '../kinds/kind.js';
import { schemaDigest } from './schema-digest.js';

describe('the digest of the schemas of a kind', () => {
  const kind = (color: string): Kind => ({ spec: z.object({ color: z.string().default(color) }) }) as unknown as Kind;

  it('changes with a default, and only then', () => {
    expect(schemaDigest(kind('red')))
      .to.equal(schemaDigest(kind('red')))
      .and.to.not.equal(schemaDigest(kind('blue')));
  });
});
