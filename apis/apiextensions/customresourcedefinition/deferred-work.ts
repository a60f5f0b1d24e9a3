import { createHash } from 'node:crypto';
import { runSteps, type Steps } from '../../../pkg/system/yielding/steps.js';
import { runStepsYielding } from '../../../pkg/system/yielding/yielding.js';
import { Memo } from '../../../registry/client/memo.js';
import { Retry } from '../../../registry/signals/retry.js';
import type { DefinitionObject } from '../customresource/conditions.js';

/** A definition with fewer schemas and values than this is worked on at once. */
const LARGE = 500;
/** Results that are remembered, until they are asked for again. */
const REMEMBERED = 64;

/** Work on definitions that takes as long as they are large. */
export interface DeferredWork {
  /**
   * The result of work on these definitions and on nothing else. For large ones, the work is done outside of the
   * transaction that asks, so that others get their turns: then it throws Retry until it is done. `what` names the
   * work.
   */
  run<Result>(what: string, definitions: readonly DefinitionObject[], work: () => Steps<Result>): Result;
}

export function deferredWork(): DeferredWork {
  const results = new Memo<{ readonly value: unknown }>(REMEMBERED);
  const digests = new WeakMap<object, string>();
  const digestOf = (schema: object): string => {
    const digest = digests.get(schema) ?? createHash('sha256').update(JSON.stringify(schema)).digest('base64');
    digests.set(schema, digest);
    return digest;
  };
  return {
    run: <Result>(what: string, definitions: readonly DefinitionObject[], work: () => Steps<Result>): Result => {
      if (!definitions.some(({ spec }) => isLarge(spec))) return runSteps(work());
      const key = `${what} ${definitions.map((definition) => textOf(definition, digestOf)).join()}`;
      const known = results.get(key);
      if (known !== undefined) return known.value as Result;
      throw new Retry(`${what} is not done yet`, async () => {
        const result = { value: await runStepsYielding(work()) };
        results.set(key, result, 1);
        return results.hold(key, result);
      });
    },
  };
}

function isLarge(value: unknown): boolean {
  let left = LARGE;
  const count = (item: unknown): void => {
    if (typeof item !== 'object' || item === null || left-- <= 0) return;
    for (const member of Object.values(item)) {
      count(member);
      if (left <= 0) return;
    }
  };
  count(value);
  return left <= 0;
}

/** All that the work depends on. A digest stands for each schema, and is made once for all attempts. */
function textOf({ metadata, spec, status }: DefinitionObject, digestOf: (schema: object) => string): string {
  const { name, annotations } = metadata;
  const versions = spec.versions?.map((version) => ({
    ...version,
    schema: version.schema && digestOf(version.schema),
  }));
  const { storedVersions, acceptedNames } = status ?? {};
  return JSON.stringify([name, annotations, { ...spec, versions }, storedVersions, acceptedNames]);
}
