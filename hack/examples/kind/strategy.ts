import type { StatusCause } from '../../../pkg/kube/status/status.js';
import type { Strategy } from '../../../registry/kinds/strategy.js';
import type { PlaylistSpec } from './schema.js';

/** A rule that the schema cannot express: each dashboard is shown once. */
export const playlistStrategy: Strategy<PlaylistSpec> = {
  validate: ({ spec }) => duplicates(spec?.dashboards ?? []),
};

function duplicates(names: readonly string[]): readonly StatusCause[] {
  return names.flatMap((name, index) => {
    if (names.indexOf(name) === index) return [];
    const message = `Duplicate value: ${JSON.stringify(name)}`;
    return [{ reason: 'FieldValueDuplicate', message, field: `spec.dashboards[${index}]` }];
  });
}
