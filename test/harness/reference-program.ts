import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type GoProgram, goProgramOrSkip, removeGoProgram } from '../../hack/go-programs.js';

/** A program that answers each line of JSON with a line of JSON. */
export class ReferenceProgram {
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  constructor(path: string) {
    this.#process = spawn(path, { stdio: ['pipe', 'pipe', 'inherit'] });
    if (this.#process.stdout === null) throw new Error('the reference has no output');
    this.#lines = createInterface(this.#process.stdout)[Symbol.asyncIterator]();
  }

  async ask<Answer>(questions: readonly unknown[]): Promise<readonly Answer[]> {
    for (const question of questions) this.#process.stdin?.write(`${JSON.stringify(question)}\n`);
    const answers: Answer[] = [];
    for (const _ of questions) answers.push(JSON.parse((await this.#lines.next()).value) as Answer);
    return answers;
  }

  stop(): void {
    this.#process.stdin?.end();
  }
}

/** Builds and runs a program in Go for the suite, and skips the suite on a machine without Go. */
export function useReferenceProgram(name: GoProgram): () => ReferenceProgram {
  let program: string | undefined;
  let reference: ReferenceProgram | undefined;
  before(async function build() {
    program = await goProgramOrSkip(this, name);
    reference = new ReferenceProgram(program);
  });
  after(async () => {
    reference?.stop();
    if (program !== undefined) await removeGoProgram(program);
  });
  return () => {
    if (reference === undefined) throw new Error('the reference is asked before it was started');
    return reference;
  };
}
