import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { ROOT } from '../e2e/process.js';
import { type Script, type Step, stepsOf } from './blocks.js';
import { Reader } from './reader.js';

const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
/** Names the command that starts the server of a page. */
const SERVER = /^<!-- server: (.+) -->$/m;

const firstLine = ({ text }: Script): string => text.split('\n').find((line) => !line.startsWith('#')) ?? '';

describe('what the documents tell people to do', () => {
  it('docs/reference has the settings and metrics that the code has', async () => {
    await promisify(execFile)('node_modules/.bin/tsx', ['hack/reference.ts', '--check'], { cwd: ROOT });
  }).timeout(120_000);

  for (const page of PAGES) {
    const text = readFileSync(join(ROOT, page), 'utf8');
    const steps = stepsOf(text);
    const scripts = steps.filter((step): step is Script => step.kind === 'script');

    it(`${page} says of each block what it is`, () => {
      expect(steps.filter(({ kind }) => kind === 'unknown')).to.deep.equal([]);
    });

    it(`${page} has no comments in commands, because zsh takes them as words`, () => {
      const lines = scripts.flatMap(({ text }) => withoutFiles(text).split('\n'));
      expect(lines.filter((line) => /(?:^|\s)#/.test(line))).to.deep.equal([]);
    });

    it(`${page} names tests that exist for the commands that are tested elsewhere`, () => {
      const named = scripts.flatMap(({ testedBy = [] }) => testedBy);
      expect(named.filter((path) => !existsSync(join(ROOT, path)))).to.deep.equal([]);
    });

    if (scripts.some(isRun)) describe(page, () => followed(steps, SERVER.exec(text)?.[1]));
  }
});

/** A script without the files that it writes (`<<'SH'` … `SH`). */
const withoutFiles = (text: string): string => text.replaceAll(/<<'?(\w+)'?\n[\s\S]*?\n\1$/gm, '');

function isRun({ testedBy, notRun }: Script): boolean {
  return testedBy === undefined && notRun === undefined;
}

/** One test for each script. Scripts need the effects of earlier ones, so the first failure ends the page. */
function followed(steps: readonly Step[], server: string | undefined): void {
  let reader: Reader;
  before(async function () {
    this.timeout(120_000);
    reader = await Reader.start();
    if (server !== undefined)
      await reader.follow({ kind: 'script', heading: '', text: server, exit: 0, isServer: true });
  });
  after(async () => {
    await reader?.close();
  });
  beforeEach(function () {
    if (this.currentTest?.parent?.tests.some(({ state }) => state === 'failed')) this.skip();
  });

  let files: (() => Promise<void>)[] = [];
  for (const step of steps) {
    if (step.kind === 'file') {
      files.push(() => reader.write(step));
      continue;
    }
    if (step.kind === 'unknown' || !isRun(step)) continue;
    const before = files;
    files = [];
    it(`${step.heading}: ${firstLine(step)}`, async () => {
      for (const write of before) await write();
      await reader.follow(step);
    }).timeout(120_000);
  }
}
