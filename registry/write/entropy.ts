import { randomInt, randomUUID } from 'node:crypto';
import { generateName } from '../../pkg/kube/meta/names.js';
import type { Entropy } from './transaction.js';

const NAME_ATTEMPTS = 8;

/** Returns the entropy for each run of a transaction. Later runs get the values of the first run, in the same order. */
export function replayable(): () => Entropy {
  const uids: string[] = [];
  const drawn: (readonly string[])[] = [];
  return () => {
    let [usedUids, usedNames] = [0, 0];
    return {
      uid: () => {
        const uid = uids[usedUids] ?? randomUUID();
        uids[usedUids++] = uid;
        return uid;
      },
      names: (base, maxLength) => {
        const names =
          drawn[usedNames] ?? Array.from({ length: NAME_ATTEMPTS }, () => generateName(base, maxLength, randomInt));
        drawn[usedNames++] = names;
        return names;
      },
    };
  };
}
