import { addFolder, type Made, nameOf } from '../../../testing/cast.js';
import type { LegacyCast, LegacyExamples } from '../../../testing/legacy-examples.js';

/** A rule in the provisioning API. */
function provisioned(title: string) {
  return { title, condition: 'A', data: [{ refId: 'A', datasourceUid: 'metrics', model: {} }], for: '5m' };
}

/** An alert rule, alone in its folder and in the group `group`. */
async function addRule(cast: LegacyCast): Promise<Made> {
  const spec = { ...provisioned(cast.fresh('Rule')), ruleGroup: 'group' };
  const annotations = { 'svc.app/folder': await nameOf(addFolder(cast)) };
  return cast.made('rules.alerting.svc.app/v1beta1', 'AlertRule', cast.fresh('rule'), spec, { annotations });
}

function folderOf({ metadata }: Made): string {
  return metadata.annotations?.['svc.app/folder'] ?? '';
}

export const legacy: LegacyExamples = {
  rows: `
#                                                     anon viewer editor admin root botV botA member lead outsider
# Alert rules: by role, as the folder that they lie in
GET    /v1/provisioning/alert-rules                   401  yes    yes    yes   yes  yes  yes  yes    yes  403
POST   /v1/provisioning/alert-rules                   401  403    yes    yes   yes  403  yes  403    403  403
GET    /v1/provisioning/alert-rules/:uid              401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /v1/provisioning/alert-rules/export            401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /v1/provisioning/alert-rules/:uid/export       401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /v1/provisioning/folder/:folderUid/rule-groups/:group/export 401 yes yes yes yes yes yes yes   yes  403
PUT    /v1/provisioning/alert-rules/:uid              401  403    yes    yes   yes  403  yes  403    403  403
DELETE /v1/provisioning/alert-rules/:uid              401  403    yes    yes   yes  403  yes  403    403  403
GET    /v1/provisioning/folder/:folderUid/rule-groups/:group 401 yes yes yes   yes  yes  yes  yes    yes  403
PUT    /v1/provisioning/folder/:folderUid/rule-groups/:group 401 403 yes yes   yes  403  yes  403    403  403
DELETE /v1/provisioning/folder/:folderUid/rule-groups/:group 401 403 yes yes   yes  403  yes  403    403  403
GET    /prometheus/grafana/api/v1/rules               401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /ruler/grafana/api/v1/rules                    401  yes    yes    yes   yes  yes  yes  yes    yes  403
GET    /ruler/grafana/api/v1/rules/:folderUid         401  yes    yes    yes   yes  yes  yes  yes    yes  403
`,
  objects: {
    rule: addRule,
  },
  params: {
    ':uid': (targets) => nameOf(targets('rule')),
    ':folderUid': async (targets) => folderOf(await targets('rule')),
    ':group': async () => 'group',
  },
  requests: {
    'GET /v1/provisioning/alert-rules': async ({ shared }) => ({ shows: await nameOf(shared('rule')) }),
    'GET /v1/provisioning/alert-rules/export': async ({ shared }) => ({
      path: '/v1/provisioning/alert-rules/export?format=json',
      shows: await nameOf(shared('rule')),
    }),
    'POST /v1/provisioning/alert-rules': async ({ shared, cast }) => ({
      body: { ...provisioned(cast.fresh('Rule')), folderUID: folderOf(await shared('rule')), ruleGroup: 'more' },
    }),
    'PUT /v1/provisioning/alert-rules/:uid': async ({ shared }) => ({
      body: { ...provisioned('Renamed'), folderUID: folderOf(await shared('rule')), ruleGroup: 'group' },
    }),
    'GET /v1/provisioning/folder/:folderUid/rule-groups/:group': async ({ shared }) => ({
      shows: await nameOf(shared('rule')),
    }),
    'PUT /v1/provisioning/folder/:folderUid/rule-groups/:group': async ({ shared }) => ({
      body: { interval: 60, rules: [{ ...provisioned('Grouped'), uid: await nameOf(shared('rule')) }] },
    }),
    'GET /prometheus/grafana/api/v1/rules': async ({ shared }) => ({ shows: await nameOf(shared('rule')) }),
    'GET /ruler/grafana/api/v1/rules': async ({ shared }) => ({ shows: await nameOf(shared('rule')) }),
  },
};
