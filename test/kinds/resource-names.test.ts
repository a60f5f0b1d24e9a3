import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { kinds } from '../../apis/kinds.js';
import { resourceName } from '../../registry/kinds/names.js';
import { ENVIRONMENT } from '../harness/server.js';

/** `resourceName('iam/users', …)`, and what takes such a name: `services.objects('internal/tokens')`. */
const NAMED = /'([a-z.]+\/[a-z]+s)'/g;
const TAKES = /\b(?:resourceName|services\.(?:objects|kind|resource)|#objects|ResourceName)\b/;

describe('the names of resources in the sources', () => {
  const sources = execFileSync('git', ['ls-files', 'apis/**.ts', 'cmd/**.ts'], { encoding: 'utf8' }).trim().split('\n');
  const known = new Set(kinds(ENVIRONMENT).map(({ qualified }) => qualified));
  const named = sources
    .filter((path) => !path.endsWith('.test.ts') && existsSync(path))
    .map((path) => readFileSync(path, 'utf8'))
    .filter((text) => TAKES.test(text))
    .flatMap((text) => [...text.matchAll(NAMED)].map(([, name = '']) => name));

  it('are those of kinds that are compiled in', () => {
    const isKnown = (name: string): boolean => known.has(resourceName(name as 'iam/users', ENVIRONMENT.domain));
    expect(named.filter((name) => !isKnown(name))).to.deep.equal([]);
    expect(named).to.include.members(['iam/users', 'folder/folders', 'internal/tokens']);
  });
});
