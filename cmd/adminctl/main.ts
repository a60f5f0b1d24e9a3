import { argv, env, exit, stderr, stdin, stdout } from 'node:process';
import { ConfigError } from '../../pkg/config/load.js';
import { MIN_KEY } from '../../pkg/config/schema.js';
import { messageOf } from '../../pkg/errors/message.js';
import { HELP, parseCommand, UsageError } from './options.js';

const FAILED = 1;
const WRONG_USE = 2;

async function firstLine(): Promise<string> {
  let text = '';
  for await (const chunk of stdin.setEncoding('utf8')) {
    text += chunk;
    if (text.includes('\n') || text.length > 10_000) break;
  }
  return (text.split('\n')[0] ?? '').replace(/\r$/, '');
}

function checkedKey(text: string): string {
  const key = text.trim();
  if (key.length >= MIN_KEY) return key;
  throw new Error(`A secret key has at least ${MIN_KEY} characters.`);
}

async function main(): Promise<void> {
  const command = parseCommand(argv.slice(2), env);
  if ('print' in command) {
    stdout.write(command.print);
    return;
  }
  // Loaded only when needed, so that help and wrong usage are answered at once.
  if ('rotate' in command) {
    const { rotate } = await import('./rotate.js');
    const key = command.rotate.fromStdin ? checkedKey(await firstLine()) : undefined;
    stdout.write(`${await rotate({ ...command.rotate, key })}\n`);
    return;
  }
  const { resetPassword } = await import('./reset-password.js');
  const password = command.reset.fromStdin ? await firstLine() : undefined;
  stdout.write(`${await resetPassword({ ...command.reset, password })}\n`);
}

await main().then(
  () => exit(0),
  (error: unknown) => {
    const isWrongUse = error instanceof UsageError || error instanceof ConfigError;
    stderr.write(`adminctl: ${messageOf(error)}\n${isWrongUse ? `\n${HELP}` : ''}`);
    exit(isWrongUse ? WRONG_USE : FAILED);
  },
);
