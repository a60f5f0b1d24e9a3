import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { goProgramOrSkip, removeGoProgram } from '../../hack/go-programs.js';
import { parseExactly } from '../../pkg/kube/json/parse.js';
import { decodeKubernetesProtobuf } from '../../pkg/kube/protobuf/decode.js';
import { encodeKubernetesProtobuf } from '../../pkg/kube/protobuf/encode-object.js';
import { runs } from '../../pkg/system/testing/runs.js';

type Typed = { readonly apiVersion: string; readonly kind: string } & Readonly<Record<string, unknown>>;

/**
 * Kubernetes' own types and encoders (go/main.go) make random objects of every kind, and read what this server wrote.
 */
describe('objects in protobuf, beside Kubernetes’ own encoder', () => {
  let program = '';
  before(async function build() {
    program = await goProgramOrSkip(this, 'protobuf');
  });
  after(async () => {
    if (program !== '') await removeGoProgram(program);
  });

  const ask = (args: readonly string[], input = ''): Promise<readonly string[]> =>
    new Promise((resolve, reject) => {
      const child = execFile(program, args, { maxBuffer: 1 << 28 }, (error, stdout) =>
        error === null ? resolve(stdout.trim().split('\n')) : reject(error),
      );
      child.stdin?.end(input);
    });

  it('are described by the fields of Kubernetes’ types', async () => {
    const described = await ask(['descriptors']);
    const path = new URL('../../pkg/kube/protobuf/descriptors.json', import.meta.url);
    expect(JSON.parse(await readFile(path, 'utf8'))).to.deep.equal(JSON.parse(described.join('\n')));
  });

  // Promise: contract 1.6
  it('have the same JSON as in Go, and Go reads what the server writes', async () => {
    const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
    const lines = await ask(['random', String(seed), String(runs(400))]);
    const objects = lines.map((line) => {
      const [wire = '', json = ''] = line.split('\t');
      const object = parseExactly(json) as Typed;
      const decoded = decodeKubernetesProtobuf(Buffer.from(wire, 'base64')) as Typed;
      expect(settled(decoded), `seed ${seed}: ${json}`).to.deep.equal(settled(object));
      return decoded;
    });
    const written = objects.map((object) => encodeKubernetesProtobuf(object)?.toString('base64'));
    const read = await ask(['decode'], `${written.join('\n')}\n`);
    expect(read).to.have.length(objects.length);
    for (const [i, line] of read.entries()) {
      expect(settled(parseExactly(line)), `seed ${seed}: ${line}`).to.deep.equal(settled(objects[i]));
    }
  });
});

/** Go writes null for what is absent, and empty lists and maps have no form in protobuf. */
function settled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(settled);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => !isEmpty(member));
  return Object.fromEntries(members.map(([key, member]) => [key, settled(member)]));
}

const isEmpty = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0);
