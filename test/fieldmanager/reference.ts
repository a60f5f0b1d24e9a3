import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { canonicalJson } from '../../pkg/json/canonical.js';
import type { Result, Sequence } from './sequences.js';

/** Without the order of conflicts with several managers, which is random in the reference, and the texts of other errors. */
export function comparable({ error, causes = [], object, managed }: Result): string {
  if (error?.startsWith('refused: ')) return canonicalJson({ error: 'refused' });
  return canonicalJson({ error, causes: causes.map(canonicalJson).sort(), object, managed });
}

/** The program of the reference. */
export class Reference {
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(program: string) {
    this.#process = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
    if (this.#process.stdout === null) throw new Error('the reference has no output');
    this.#lines = createInterface(this.#process.stdout)[Symbol.asyncIterator]();
  }

  async run(sequences: readonly Pick<Sequence, 'schema' | 'writes'>[]): Promise<readonly (readonly Result[])[]> {
    for (const { schema, writes } of sequences) this.#process.stdin?.write(`${JSON.stringify({ schema, writes })}\n`);
    const answers: (readonly Result[])[] = [];
    for (const _ of sequences) {
      const { value } = await this.#lines.next();
      answers.push(JSON.parse(value) as readonly Result[]);
    }
    return answers;
  }

  stop(): void {
    this.#process.stdin?.end();
  }
}
