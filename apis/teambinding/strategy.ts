import type { StatusCause } from '../../pkg/status/status.js';
import type { Strategy } from '../../registry/strategy.js';
import type { TeamBindingSpec } from './kind.js';

/** A binding of others is another binding. */
export const teamBindingStrategy: Strategy<TeamBindingSpec> = {
  validate: ({ spec }, old) => {
    if (old === undefined) return [];
    return (['teamRef', 'userRef'] as const)
      .filter((ref) => spec?.[ref].name !== old.spec?.[ref].name)
      .map((ref): StatusCause => ({ reason: 'FieldValueInvalid', message: IMMUTABLE, field: `spec.${ref}.name` }));
  },
};

const IMMUTABLE = 'Invalid value: field is immutable';
