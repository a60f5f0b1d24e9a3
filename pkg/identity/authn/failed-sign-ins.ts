import { seldom } from '../../system/log/seldom.js';
import { addressKey } from '../../system/net/address.js';
import { printable } from '../../system/text/printable.js';

/** A sign-in that failed, for the log of the operator. */
export interface FailedSignIn {
  /** `password`, or the name of the provider. */
  readonly by: string;
  /** As the server knows the account, and not as it was typed: people type their password in the wrong field. */
  readonly login?: string | undefined;
  readonly address: string;
  readonly why: string;
}

export type OnFailedSignIn = (failure: FailedSignIn) => void;

/** Milliseconds in which at most `MOST_LINES` are logged of each kind, and the same failure once. */
const PAUSE = 60_000;
const MOST_LINES = 20;
const MOST_CHARACTERS = 500;

type Log = (details: FailedSignIn & { readonly leftOut?: number }) => void;

/**
 * Logs failures of sign-ins. Strangers cause them, so the lines are few. Failures of accounts and all others are
 * counted apart, so that a stranger who knows no account cannot hide an attack on one. The next line after a pause has
 * the number of those that were left out. `now` gives milliseconds.
 */
export function failedSignIns(log: Log, now: () => number): OnFailedSignIn {
  const [accounts, others] = [limited(log, now), limited(log, now)];
  return (failure) => (failure.login === undefined ? others : accounts)(failure);
}

function limited(log: Log, now: () => number): OnFailedSignIn {
  let [begun, lines, leftOut] = [Number.NEGATIVE_INFINITY, 0, 0];
  const logSeldom = seldom<[FailedSignIn]>(
    (_, failure) => {
      lines++;
      log({ ...failure, ...(leftOut > 0 && { leftOut }) });
      leftOut = 0;
    },
    now,
    PAUSE,
  );
  return (failure) => {
    if (now() >= begun + PAUSE) [begun, lines] = [now(), 0];
    // A failure that is left out is not remembered as logged.
    if (lines >= MOST_LINES) return void leftOut++;
    const { by, login, address, why } = failure;
    logSeldom(JSON.stringify([by, login, addressKey(address), why]), shown(failure));
  };
}

const text = (value: string): string => printable(value.slice(0, MOST_CHARACTERS));

function shown({ by, login, address, why }: FailedSignIn): FailedSignIn {
  return { by, ...(login !== undefined && { login: text(login) }), address: text(address), why: text(why) };
}
