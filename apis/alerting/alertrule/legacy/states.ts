import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { arrayText } from '../../../../registry/legacy/stream.js';
import { NEVER } from '../../../iam/legacy/formats.js';
import { secondsOf } from '../../duration.js';
import type { AlertRuleSpec } from '../schema.js';
import { queryDto, specOf } from './dto.js';
import { folderTitle, type RuleGroup } from './grouping.js';

/** The groups as Prometheus shows them, as JSON text. With names, only the groups of these names. */
export function* statesText(
  call: LegacyCall,
  groups: Iterable<RuleGroup>,
  names: readonly string[],
): Generator<string, void, undefined> {
  let inactive = 0;
  const items = function* () {
    for (const group of groups) {
      if (names.length > 0 && !names.includes(group.name)) continue;
      inactive += group.rules.length;
      yield stateDto(call, group);
    }
  };
  yield '{"status":"success","data":{"groups":';
  yield* arrayText(items());
  yield inactive > 0 ? `,"totals":${JSON.stringify({ inactive })}}}` : '}}';
}

function stateDto(call: LegacyCall, { folder, name, interval, rules }: RuleGroup): unknown {
  return {
    name,
    file: folderTitle(call, folder),
    folderUid: folder,
    rules: rules.map((rule) => {
      const spec = specOf(rule);
      return {
        state: 'inactive',
        name: spec.title,
        query: queryText(spec),
        duration: secondsOf(spec.for),
        keepFiringFor: secondsOf(spec.keepFiringFor ?? ''),
        annotations: spec.annotations,
        labels: spec.labels,
        alerts: [],
        health: 'unknown',
        type: spec.record === undefined ? 'alerting' : 'recording',
        lastEvaluation: NEVER,
        evaluationTime: 0,
        uid: rule.metadata.name,
        folderUid: folder,
        isPaused: spec.isPaused,
      };
    }),
    totals: { inactive: rules.length },
    interval,
    lastEvaluation: NEVER,
    evaluationTime: 0,
  };
}

/** The expressions of the queries, or all queries as JSON if none has an expression. */
function queryText({ data }: AlertRuleSpec): string {
  const expressions = data.map(({ model }) => model['expr']).filter((expr) => typeof expr === 'string');
  return expressions.join(' | ') || JSON.stringify(data.map(queryDto));
}
