import { ignoreMissing } from '../../../pkg/kube/status/errors.js';
import type { ObjectReader } from '../../../registry/client/client.js';
import { BY_END, type UsedSignOnSpec } from '../../internal/usedsignon/schema.js';
import type { IdentityServices } from '../services.js';

const SWEEP_AT_ONCE = 500;

/** The names of the first used states that have ended, at most `limit`. */
export function endedStates(states: ObjectReader<UsedSignOnSpec>, now: number, limit: number): readonly string[] {
  const ended: string[] = [];
  for (const { metadata, spec } of states.range({ index: BY_END, prefix: [] })) {
    if (ended.length === limit || Date.parse(spec?.ends ?? '') > now) break;
    ended.push(metadata.name);
  }
  return ended;
}

/** Removes used states that have ended, also where nobody signs in any more. */
export function usedSignOns(services: IdentityServices): { sweep(): Promise<void> } {
  const states = services.objects<UsedSignOnSpec>('internal/usedsignons');
  return {
    sweep: async () => {
      for (const name of endedStates(states, services.now(), SWEEP_AT_ONCE)) {
        await states.delete(name).catch(ignoreMissing);
      }
    },
  };
}
