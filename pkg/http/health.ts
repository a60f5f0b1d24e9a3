import type { ApiResponse, Handler } from './handler.js';

/** Resolves when all is well; rejects with the reason when it is not. */
export type Check = () => Promise<void> | void;

/** Why a check failed, in words that every caller may read. The cause is for the log. */
export class NotReady extends Error {}

/** A check that takes longer counts as failed. */
const CHECK_TIMEOUT = 5_000;

const encoder = new TextEncoder();
const plain = (status: number, text: string): ApiResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: encoder.encode(text),
});

/**
 * `/readyz` runs every check, and answers `ok` when all pass. `/readyz/<check>` runs one, and is 404 if there is none
 * of this name. `?exclude=<check>` leaves one out, and `?verbose` names each. Reasons go to `onFailure`, and to the
 * caller only those of NotReady, because the others may name addresses and files.
 */
export function healthHandler(
  name: string,
  checks: () => Readonly<Record<string, Check>>,
  onFailure: (check: string, reason: unknown) => void,
): Handler {
  return async ({ path, query }) => {
    const all = Object.entries(checks());
    const [, , ...named] = path.split('/');
    const checkName = named.length === 0 ? undefined : named.join('/');
    if (checkName !== undefined && !all.some(([check]) => check === checkName))
      return plain(
        404,
        `there is no check ${JSON.stringify(checkName.slice(0, 100))}; the checks are: ${all.map(([check]) => check).join(', ')}\n`,
      );
    const excluded = query.getAll('exclude');
    const unknown = excluded.filter((name) => !all.some(([check]) => check === name));
    const selected = all.filter(([check]) =>
      checkName === undefined ? !excluded.includes(check) : check === checkName,
    );
    const results = await Promise.all(
      selected.map(async ([check, run]) => {
        const reason = await failureOf(run);
        if (reason !== undefined) onFailure(check, reason);
        return { check, isOk: reason === undefined, reason: reason instanceof NotReady ? `: ${reason.message}` : '' };
      }),
    );
    const isOk = results.every((result) => result.isOk);
    if (isOk && !query.has('verbose')) return plain(200, 'ok');
    const lines = results.map(({ check, isOk, reason }) => (isOk ? `[+]${check} ok` : `[-]${check} failed${reason}`));
    if (unknown.length > 0)
      lines.push(`warn: some health checks cannot be excluded: no matches for ${quoted(unknown)}`);
    return plain(isOk ? 200 : 503, `${[...lines, `${name} check ${isOk ? 'passed' : 'failed'}`].join('\n')}\n`);
  };
}

const quoted = (names: readonly string[]): string =>
  names
    .slice(0, 10)
    .map((name) => JSON.stringify(name.slice(0, 100)))
    .join(', ');

async function failureOf(run: Check): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new NotReady(`no answer within ${CHECK_TIMEOUT} ms`)), CHECK_TIMEOUT);
  });
  try {
    await Promise.race([run(), tooLate]);
    return undefined;
  } catch (error) {
    return error ?? new Error('unknown');
  } finally {
    clearTimeout(timer);
  }
}
