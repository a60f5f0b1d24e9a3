import { isTerminating } from '../../../pkg/kube/meta/types.js';
import { badRequest } from '../../../pkg/kube/status/errors.js';
import type { StatusCause } from '../../../pkg/kube/status/status.js';
import { resourceName } from '../../../registry/kinds/names.js';
import type { Strategy } from '../../../registry/kinds/strategy.js';
import type { ApisEnvironment } from '../../environment.js';
import { FORCE_DELETE_RULES, folderAnnotation } from '../../folder/folder/schema.js';
import { folderOf } from '../../folder/placement.js';
import { isEnding } from '../../iam/ending.js';
import type { AlertRuleSpec } from './schema.js';

const CONTAINS_RULES = 'folder cannot be deleted: folder contains alert rules';

/**
 * A rule lies in a folder, and its condition is one of its queries. A folder is deleted with its rules only if the
 * caller says so.
 */
export function alertRuleStrategy({ domain, features, compatibility }: ApisEnvironment): Strategy<AlertRuleSpec> {
  const folders = resourceName('folder/folders', domain);
  const field = `metadata.annotations[${folderAnnotation(domain)}]`;

  return {
    validate: (rule) => [
      ...(folderOf(rule, domain) === undefined ? [required(field, 'a rule lies in a folder')] : []),
      ...(rule.spec === undefined ? [] : specCauses(rule.spec, compatibility === 'clients')),
    ],
    validateDelete: (rule, ctx, options) => {
      const isAllowed = !features.alerting || options.get(FORCE_DELETE_RULES) === 'true';
      if (isAllowed || isTerminating(rule) || !ctx.isGoing(folders, ctx.namespace, folderOf(rule, domain) ?? ''))
        return;
      if (!isEnding(ctx, domain)) throw badRequest(CONTAINS_RULES);
    },
  };
}

/** Existing clients also save rules whose condition is none of the queries (`isAnyCondition`). */
function specCauses({ condition, data, record }: AlertRuleSpec, isAnyCondition: boolean): readonly StatusCause[] {
  const refIds = data.map(({ refId }) => refId);
  const causes = refIds.flatMap((refId, index): readonly StatusCause[] => {
    if (refIds.indexOf(refId) === index) return [];
    const message = `Duplicate value: ${JSON.stringify(refId)}: each query has its own refId`;
    return [{ reason: 'FieldValueDuplicate', message, field: `spec.data[${index}].refId` }];
  });
  if (data.length === 0) return [required('spec.data', 'a rule has at least one query')];
  if (record !== undefined && condition === undefined) return causes;
  if (condition === undefined || condition === '')
    return [...causes, required('spec.condition', 'name the query that decides')];
  if (isAnyCondition || refIds.includes(condition)) return causes;
  const message = `Invalid value: ${JSON.stringify(condition)}: condition does not exist, it must be one of [${refIds.join(' ').slice(0, 300)}]`;
  return [...causes, { reason: 'FieldValueInvalid', message, field: 'spec.condition' }];
}

function required(field: string, why: string): StatusCause {
  return { reason: 'FieldValueRequired', message: `Required value: ${why}`, field };
}
