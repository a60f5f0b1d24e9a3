import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { GoMissing, goProgram, removeGoProgram } from '../../hack/go-programs.js';
import { strategicPatch } from '../../registry/rest/strategic-patch.js';
import { type Case, randomCase } from './cases.js';

/** How many patches, and the seed of the first one. By hand: CASES=100000. */
const COUNT = Number(process.env['CASES'] ?? 5000);
const FIRST = Number(process.env['SEED'] ?? 1);

interface Answer {
  readonly patch: Readonly<Record<string, unknown>>;
  readonly result?: object;
  readonly error?: string;
}

describe('strategic merge patches: beside those of Kubernetes', function () {
  this.timeout(COUNT + 300_000);
  let program: string | undefined;

  before(async function () {
    try {
      program = await goProgram('strategicpatch');
    } catch (error) {
      if (!(error instanceof GoMissing) || process.env['CI'] === 'true') throw error;
      this.skip();
    }
  });

  after(() => (program === undefined ? undefined : removeGoProgram(program)));

  it(`make the same of the finalizers and owners of a ConfigMap (${COUNT} random patches from seed ${FIRST})`, async () => {
    const reference = spawn(program ?? '', { stdio: ['pipe', 'pipe', 'inherit'] });
    const answers = answersOf(reference);
    for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
      const one = randomCase(seed);
      reference.stdin.write(`${JSON.stringify(one)}\n`);
      const answer = JSON.parse((await answers.next()).value) as Answer;
      expect(ours(one, answer), `seed ${seed}: ${JSON.stringify({ ...one, ...answer })}`).to.deep.equal(theirs(answer));
    }
    reference.stdin.end();
  });
});

function answersOf({ stdout }: ChildProcess): AsyncIterator<string> {
  if (stdout === null) throw new Error('the reference has no output');
  return createInterface(stdout)[Symbol.asyncIterator]();
}

function ours({ live }: Case, { patch }: Answer): unknown {
  try {
    return comparable(strategicPatch(patch)(live));
  } catch {
    return 'refused';
  }
}

function theirs({ result, error }: Answer): unknown {
  return error === undefined ? comparable(result) : 'refused';
}

/** Without empty lists, and members that are null: an object is stored without them. */
function comparable(object: unknown): unknown {
  const { metadata } = object as { readonly metadata: Readonly<Record<string, unknown>> };
  const lists = ['labels', 'finalizers', 'ownerReferences'].map((name) => metadata[name]);
  const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);
  return JSON.parse(JSON.stringify(lists, (_, value) => (isEmpty(value) ? undefined : value)));
}
