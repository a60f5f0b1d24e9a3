import { isTerminating } from '../../../../pkg/kube/meta/types.js';
import { ulidGenerator } from '../../../../pkg/kube/meta/ulid.js';
import { ApiError } from '../../../../pkg/kube/status/status.js';
import type { NewObject } from '../../../../registry/client/objects.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { requireAction } from '../../../../registry/legacy/errors.js';
import { created, deleted, NO_CONTENT, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import { each, okArray } from '../../../../registry/legacy/stream.js';
import { objectOf } from '../../../../registry/read/reader.js';
import type { ApisEnvironment } from '../../../environment.js';
import type { AlertRuleSpec } from '../schema.js';
import { ALERT_RULE, ALERT_RULES } from './answers.js';
import { placedIn, provenanceOf, RuleBody, specOfBody } from './body.js';
import {
  type AlertRule,
  annotationKeys,
  folderUidOf,
  provisioned,
  RULE_ANSWERED,
  rulesOf,
  specOf,
  visibleEntries,
} from './dto.js';
import { RULE_ERRORS } from './errors.js';
import { RULE_NOTES } from './notes.js';

export const newUid = ulidGenerator();

/** `/api/v1/provisioning/alert-rules`. */
export function ruleRoutes(environment: ApisEnvironment): readonly LegacyRoute[] {
  const keys = annotationKeys(environment);
  const dto = (call: LegacyCall, rule: AlertRule) => provisioned(call, rule, environment);

  const list = (call: LegacyCall) => {
    requireAction(rulesOf(call), 'alert.rules:read');
    return okArray(each(visibleEntries(call), (entry) => dto(call, objectOf<AlertRuleSpec>(entry))));
  };

  const create = async (call: LegacyCall) => {
    requireAction(rulesOf(call), 'alert.rules:create');
    const body = call.body(RuleBody);
    const annotations = placedIn(keys, undefined, body.folderUID ?? '', provenanceOf(call));
    const draft: NewObject<AlertRuleSpec> = {
      metadata: { name: body.uid || newUid(), annotations },
      spec: specOfBody(body),
    };
    return created(dto(call, await rulesOf(call).create(draft)));
  };

  const update = async (call: LegacyCall) => {
    const uid = call.param('uid');
    rulesOf(call).getFor('update', uid);
    // Provisioning tools send the uid that a rule has in their files, or on another server.
    const body = call.body(RuleBody, { uid: undefined });
    const rule = await rulesOf(call).update(uid, (old) => {
      const annotations = placedIn(keys, old.metadata.annotations, body.folderUID ?? '', provenanceOf(call));
      const spec = specOfBody(body);
      const hasMoved = folderUidOf(old, environment) !== body.folderUID || specOf(old).ruleGroup !== spec.ruleGroup;
      return {
        ...old,
        metadata: { ...old.metadata, annotations },
        spec: hasMoved ? spec : { ...spec, ...ofGroup(specOf(old)) },
      };
    });
    call.keeps({ uid, id: rulesOf(call).idOf(rule), orgID: call.organization.id });
    return ok(dto(call, rule));
  };

  const remove = async (call: LegacyCall) => {
    try {
      const rule = await rulesOf(call).delete(call.param('uid'));
      return isTerminating(rule) ? deleted(rule, '') : NO_CONTENT;
    } catch (error) {
      // Clients delete what may be gone already. Only callers who may learn that it is gone get this far.
      if (error instanceof ApiError && error.reason === 'NotFound') return NO_CONTENT;
      throw error;
    }
  };

  return routes(
    { notes: RULE_NOTES, errors: RULE_ERRORS, answerMembers: RULE_ANSWERED },
    {
      'GET /v1/provisioning/alert-rules': { answer: ALERT_RULES, summary: 'Lists alert rules', handle: list },
      'POST /v1/provisioning/alert-rules': {
        answer: ALERT_RULE,
        summary: 'Creates an alert rule',
        body: RuleBody,
        handle: create,
      },
      'GET /v1/provisioning/alert-rules/:uid': {
        single: true,
        answer: ALERT_RULE,
        summary: 'Reads an alert rule',
        handle: (call) => ok(dto(call, rulesOf(call).get(call.param('uid')))),
      },
      'PUT /v1/provisioning/alert-rules/:uid': {
        answer: ALERT_RULE,
        summary: 'Replaces an alert rule',
        body: RuleBody,
        handle: update,
      },
      'DELETE /v1/provisioning/alert-rules/:uid': { answer: 'none', summary: 'Deletes an alert rule', handle: remove },
    },
  );
}

/** The members that the group of a rule decides. A rule that stays in its group keeps them. */
function ofGroup({ interval, groupIndex }: AlertRuleSpec): Pick<AlertRuleSpec, 'interval' | 'groupIndex'> {
  return { ...(interval !== undefined && { interval }), ...(groupIndex !== undefined && { groupIndex }) };
}
