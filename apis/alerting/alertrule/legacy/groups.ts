import type { Steps } from '../../../../pkg/system/yielding/steps.js';
import type { TransactionObjects } from '../../../../registry/client/objects.js';
import type { LegacyCall, LegacyTransaction } from '../../../../registry/legacy/call.js';
import { plainFailure, requireAction } from '../../../../registry/legacy/errors.js';
import { otherItems } from '../../../../registry/legacy/identity.js';
import { NO_CONTENT, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import type { ApisEnvironment } from '../../../environment.js';
import { type AlertRuleSpec, BY_GROUP } from '../schema.js';
import { RULE_GROUP } from './answers.js';
import { GroupBody, placedIn, provenanceOf, specOfBody } from './body.js';
import { type AlertRule, annotationKeys, provisioned, RULE_ANSWERED, rulesOf, specOf } from './dto.js';
import { RULE_ERRORS } from './errors.js';
import { groupsOf, intervalOf, type RuleGroup } from './grouping.js';
import { RULE_NOTES } from './notes.js';
import { inOrderOfTitles, type Placed, placedRules } from './placing.js';
import { newUid } from './rules.js';

type Objects = TransactionObjects<AlertRuleSpec>;
/** Creates or changes a rule of the group. */
type Put = (objects: Objects, placed: Placed, ofGroup: Partial<AlertRuleSpec>) => void;

const PATH = '/v1/provisioning/folder/:folderUid/rule-groups/:group';

/** A group is no object. It consists of the rules that name it. */
export function groupRoutes(environment: ApisEnvironment): readonly LegacyRoute[] {
  const keys = annotationKeys(environment);

  const found = (call: LegacyCall): RuleGroup => {
    requireAction(rulesOf(call), 'alert.rules:read');
    const [group] = groupsOf(call, environment, placeOf(call));
    if (group === undefined) throw plainFailure(404, 'alert rule group not found');
    return group;
  };

  const putIn = (call: LegacyCall): Put => {
    const [folder] = placeOf(call);
    const provenance = provenanceOf(call);
    const place = (old?: AlertRule) => placedIn(keys, old?.metadata.annotations, folder, provenance);
    return (objects, { name, body }, ofGroup) => {
      const spec = { ...specOfBody(body), ...ofGroup };
      if (objects.find(name) === undefined) objects.create({ metadata: { name, annotations: place() }, spec });
      else objects.update(name, (old) => ({ ...old, metadata: { ...old.metadata, annotations: place(old) }, spec }));
    };
  };

  /** Replaces the group: its rules are those of the body, in this order. */
  const replace = async (call: LegacyCall) => {
    requireAction(rulesOf(call), 'alert.rules:write');
    const [folder, group] = placeOf(call);
    // Scripts send what they have read from another server or another group. The path says where the rules come.
    const body = call.body(GroupBody, { folderUid: undefined, group: undefined, title: undefined });
    call.keeps({ title: group, folderUid: folder });
    call.warn(otherItems('rules', body.rules, { folderUID: folder, ruleGroup: group }));
    const fresh = body.rules.map(() => newUid());
    const put = putIn(call);
    const interval = await call.transactInSteps(function* (transaction) {
      const before = rulesIn(call, transaction);
      const seconds = body.interval ?? intervalOf(before);
      const placed = placedRules(body.rules, before, fresh);
      const objects = transaction.objects<AlertRuleSpec>('rules.alerting/AlertRule');
      const kept = new Set(placed.map(({ name }) => name));
      yield* removed(
        objects,
        before.filter(({ metadata }) => !kept.has(metadata.name)),
      );
      for (const step of inOrderOfTitles(placed, before)) {
        if (step.body === undefined) objects.update(step.name, untitled);
        else put(objects, step, { ruleGroup: group, interval: seconds, groupIndex: step.index });
        yield;
      }
      return seconds;
    });
    const [now] = groupsOf(call, environment, [folder, group]);
    return ok(dto(call, now ?? { folder, name: group, interval, rules: [] }, environment));
  };

  const remove = async (call: LegacyCall) => {
    found(call);
    await call.transactInSteps((transaction) =>
      removed(transaction.objects('rules.alerting/AlertRule'), rulesIn(call, transaction)),
    );
    return NO_CONTENT;
  };

  return routes(
    { notes: RULE_NOTES, errors: RULE_ERRORS, answerMembers: RULE_ANSWERED },
    {
      [`GET ${PATH}`]: {
        single: true,
        answer: RULE_GROUP,
        summary: 'Reads a group of alert rules',
        handle: (call) => ok(dto(call, found(call), environment)),
      },
      [`PUT ${PATH}`]: {
        answer: RULE_GROUP,
        summary: 'Replaces a group of alert rules',
        body: GroupBody,
        handle: replace,
      },
      [`DELETE ${PATH}`]: { answer: 'none', summary: 'Deletes a group of alert rules', handle: remove },
    },
  );
}

/** Another rule gets the title of this one. Between the two writes of the commit, the title of this one is its uid. */
function untitled(rule: AlertRule): AlertRule {
  return { ...rule, spec: { ...specOf(rule), title: rule.metadata.name } };
}

function* removed(objects: Objects, rules: readonly AlertRule[]): Steps<void> {
  for (const { metadata } of rules) {
    objects.delete(metadata.name);
    yield;
  }
}

function placeOf(call: LegacyCall): readonly [folder: string, group: string] {
  return [call.param('folderUid'), call.param('group')];
}

/** The rules of the group that the caller may view. A 403 for the other rules would show that the group exists. */
function rulesIn(call: LegacyCall, transaction: LegacyTransaction): readonly AlertRule[] {
  const prefix = [call.organization.namespace, ...placeOf(call)];
  return [...transaction.objects<AlertRuleSpec>('rules.alerting/AlertRule').list({ index: BY_GROUP, prefix })];
}

function dto(call: LegacyCall, { name, folder, interval, rules }: RuleGroup, environment: ApisEnvironment): unknown {
  return {
    title: name,
    folderUid: folder,
    interval,
    rules: rules.map((rule) => provisioned(call, rule, environment)),
  };
}
