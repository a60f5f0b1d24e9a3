import type { LegacyCall, LegacyTransaction } from '../../../../registry/legacy/call.js';
import { plainFailure, requireAction } from '../../../../registry/legacy/errors.js';
import { noContent, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import type { ApisEnvironment } from '../../../environment.js';
import { type AlertRuleSpec, BY_GROUP } from '../schema.js';
import { GroupBody, placedIn, provenanceOf, type RuleBody, specOfBody } from './body.js';
import { type AlertRule, annotationKeys, provisioned, rulesOf, specOf } from './dto.js';
import { RULE_ERRORS } from './errors.js';
import { groupsOf, intervalOf, type RuleGroup } from './grouping.js';
import { newUid } from './rules.js';

const PATH = '/v1/provisioning/folder/:folderUid/rule-groups/:group';

/** What a PUT makes of one rule of the group. */
interface Placed {
  readonly name: string;
  readonly body: RuleBody;
}

/** A group has no object of its own: it is the rules that name it. */
export function groupRoutes(environment: ApisEnvironment): readonly LegacyRoute[] {
  const keys = annotationKeys(environment);

  const dto = (call: LegacyCall, { name, folder, interval, rules }: RuleGroup): unknown => ({
    title: name,
    folderUid: folder,
    interval,
    rules: rules.map((rule) => provisioned(call, rule, environment)),
  });

  const found = (call: LegacyCall): RuleGroup => {
    requireAction(rulesOf(call), 'alert.rules:read');
    const [group] = groupsOf(call, environment, placeOf(call));
    if (group === undefined) throw plainFailure(404, 'alert rule group not found');
    return group;
  };

  /** Replaces the group: its rules are those of the body, in this order. */
  const replace = async (call: LegacyCall) => {
    requireAction(rulesOf(call), 'alert.rules:write');
    const body = call.body(GroupBody);
    const [folder, group] = placeOf(call);
    const fresh = (body.rules ?? []).map(() => newUid());
    const provenance = provenanceOf(call);
    const interval = await call.transact((transaction) => {
      const before = rulesIn(call, transaction);
      const seconds = body.interval ?? intervalOf(before);
      const placed = matched(body.rules ?? [], before, fresh);
      const objects = transaction.objects<AlertRuleSpec>('AlertRule');
      const kept = new Set(placed.map(({ name }) => name));
      for (const { metadata } of before) if (!kept.has(metadata.name)) objects.delete(metadata.name);
      for (const [index, { name, body: sent }] of placed.entries()) {
        const spec = { ...specOfBody(sent), ruleGroup: group, interval: seconds, groupIndex: index };
        const place = (old?: AlertRule) => placedIn(keys, old?.metadata.annotations, folder, provenance);
        if (objects.find(name) === undefined) objects.create({ metadata: { name, annotations: place() }, spec });
        else objects.update(name, (old) => ({ ...old, metadata: { ...old.metadata, annotations: place(old) }, spec }));
      }
      return seconds;
    });
    const [now] = groupsOf(call, environment, [folder, group]);
    return ok(dto(call, now ?? { folder, name: group, interval, rules: [] }));
  };

  const remove = async (call: LegacyCall) => {
    found(call);
    await call.transact((transaction) => {
      const objects = transaction.objects('AlertRule');
      for (const { metadata } of rulesIn(call, transaction)) objects.delete(metadata.name);
    });
    return noContent();
  };

  return routes(
    { errors: RULE_ERRORS },
    {
      [`GET ${PATH}`]: (call) => ok(dto(call, found(call))),
      [`PUT ${PATH}`]: replace,
      [`DELETE ${PATH}`]: remove,
    },
  );
}

function placeOf(call: LegacyCall): readonly [folder: string, group: string] {
  return [call.param('folderUid'), call.param('group')];
}

function rulesIn(call: LegacyCall, transaction: LegacyTransaction): readonly AlertRule[] {
  const prefix = [call.organization.namespace, ...placeOf(call)];
  return [...transaction.objects<AlertRuleSpec>('AlertRule').range({ index: BY_GROUP, prefix })];
}

/** Names the rules. One without uid is the stored rule of this title, or a new one. */
function matched(
  rules: readonly RuleBody[],
  before: readonly AlertRule[],
  fresh: readonly string[],
): readonly Placed[] {
  const named = new Set(rules.map(({ uid }) => uid));
  const byTitle = new Map(
    before.filter(({ metadata }) => !named.has(metadata.name)).map((rule) => [specOf(rule).title, rule.metadata.name]),
  );
  return rules.map((body, index) => ({
    name: body.uid || byTitle.get(body.title ?? '') || (fresh[index] ?? ''),
    body,
  }));
}
