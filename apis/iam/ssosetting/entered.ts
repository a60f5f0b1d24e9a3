import { reachOf } from '../../../pkg/identity/signon/reach.js';
import { fileProblems, type Problem, problemsOf } from '../../../pkg/identity/signon/rules.js';
import { secretsIn, withSecrets } from '../../../pkg/identity/signon/values.js';
import type { ApisEnvironment } from '../../environment.js';
import { effectiveValues, systemValues } from './effective.js';
import type { ProviderSettings } from './providers.js';
import { MASKED } from './schema.js';
import { type EnteredValues, LOST_SECRET } from './secrets.js';

/**
 * The settings that would apply if these values were stored. Masked secrets are those that are stored. A problem is
 * what keeps the values from being stored.
 */
export function enteredSettings(
  current: ProviderSettings,
  entered: EnteredValues,
  { signOn }: ApisEnvironment,
): ProviderSettings | Problem {
  const system = systemValues(current.provider, signOn);
  const stored = new Map(secretsIn(current.values).map(({ name, value }) => [name, value]));
  const lost = secretsIn(entered).find(({ name, value }) => value === MASKED && !stored.has(name));
  if (lost !== undefined) return { key: lost.key, at: lost.at, message: LOST_SECRET };
  const isKept = (value: unknown): boolean => value === MASKED;
  const problems = [
    ...fileProblems(entered, system, isKept),
    ...problemsOf(current.type, { ...entered, enabled: true }, system, MASKED),
  ];
  if (problems[0] !== undefined) return problems[0];
  const opened = withSecrets(entered, ({ name, value }) => (value === MASKED ? stored.get(name) : value));
  const values = effectiveValues(opened, system);
  return { ...current, values, reach: reachOf(values, system, current.reach.guard) };
}
