/**
 * Writes pkg/kube/protobuf/descriptors.json, the messages of Kubernetes' kinds, from Kubernetes' own types
 * (test/protobuf/go):
 *
 *     npx tsx hack/protobuf.ts
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { goProgram, removeGoProgram } from './go-programs.js';

interface Descriptors {
  readonly kinds: Readonly<Record<string, string>>;
  readonly nested: Readonly<Record<string, unknown>>;
}

const program = await goProgram('protobuf');
const { stdout } = await promisify(execFile)(program, ['descriptors'], { maxBuffer: 1 << 24 });
await removeGoProgram(program);
const { kinds, nested } = JSON.parse(stdout) as Descriptors;
await writeFile(
  new URL('../pkg/kube/protobuf/descriptors.json', import.meta.url),
  `{\n  "kinds": ${lines(kinds)},\n  "nested": ${lines(nested)}\n}\n`,
);

/** A line for each member, so that a difference shows the messages that have changed. */
function lines(members: object): string {
  const texts = Object.entries(members).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{\n${texts.join(',\n')}\n  }`;
}
