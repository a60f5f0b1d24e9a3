import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { column, field } from '../../../registry/kinds/fields.js';
import { defineKind, type Kind } from '../../../registry/kinds/kind.js';
import { UID_NAMES } from '../../../registry/kinds/names.js';
import type { ApisEnvironment } from '../../environment.js';
import { PARENT } from '../../folder/folder/schema.js';
import { folderOf, inFolders } from '../../folder/placement.js';
import { AlertRuleSpec, BY_GROUP, BY_TITLE, PROVENANCE, TITLE_TAKEN } from './schema.js';
import { alertRuleStrategy } from './strategy.js';

const specOf = ({ spec }: KubeObject) => spec as AlertRuleSpec;

export function alertRule(environment: ApisEnvironment): Kind<AlertRuleSpec> {
  const { domain } = environment;
  const placeOf = (object: KubeObject): string => folderOf(object, domain) ?? '';
  return defineKind<AlertRuleSpec>(environment, {
    identity: {
      group: 'rules.alerting',
      version: 'v1beta1',
      kind: 'AlertRule',
      resource: 'alertrules',
      singular: 'alertrule',
      categories: ['all'],
      scope: 'Namespaced',
      description: 'AlertRule says when an alert fires. It lies in a folder.',
      spec: AlertRuleSpec,
      names: UID_NAMES,
    },
    storage: {
      containment: inFolders(domain),
      indexers: {
        [BY_TITLE]: (object) => [[object.metadata.namespace ?? '', placeOf(object), specOf(object).title]],
        [BY_GROUP]: (object) => [[object.metadata.namespace ?? '', placeOf(object), specOf(object).ruleGroup]],
      },
      uniques: { [BY_TITLE]: { field: 'spec.title', message: TITLE_TAKEN } },
      ownKeys: [PARENT, PROVENANCE],
      internalId: true,
      history: { versions: 5 },
      trash: true,
      generationCounts: (object) => [folderOf(object, domain)],
    },
    access: {
      // A rule has no scope of its own. Its folder decides who may use it.
      permissions: {
        get: ['alert.rules:read'],
        create: ['alert.rules:create'],
        update: ['alert.rules:write'],
        delete: ['alert.rules:delete'],
        scopes: () => [],
      },
    },
    serving: {
      served: environment.features.alerting,
      columns: [
        column<AlertRuleSpec>('Title', 'Title of the rule', ({ title }) => title),
        { name: 'Folder', type: 'string', description: 'Folder that it lies in', priority: 0, cell: placeOf },
        column<AlertRuleSpec>('Group', 'Group in the folder', ({ ruleGroup }) => ruleGroup, 1),
        column<AlertRuleSpec>('Paused', 'Whether it is not evaluated', ({ isPaused }) => isPaused),
        column<AlertRuleSpec>('For', 'How long the condition must hold', (spec) => spec.for, 1),
      ],
      selectableFields: {
        'spec.title': field<AlertRuleSpec>(({ title }) => title),
        'spec.ruleGroup': field<AlertRuleSpec>(({ ruleGroup }) => ruleGroup),
      },
    },
    strategy: alertRuleStrategy(environment),
  });
}
