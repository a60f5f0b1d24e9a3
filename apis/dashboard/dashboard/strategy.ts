import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { Strategy } from '../../../registry/kinds/strategy.js';
import type { AccessEnvironment } from '../../environment.js';
import { basicRolesCauses, withoutBasicRoles } from '../../folder/basic-roles.js';
import { accessConsequences } from '../../folder/folder/consequences.js';
import { folderOf, withoutRoot } from '../../folder/placement.js';
import { creatorGrants, ON_DASHBOARD } from '../../iam/creator.js';
import type { DashboardSpec } from './schema.js';

type Dashboard = KubeObject<DashboardSpec>;

/** A stored dashboard does not repeat its metadata, has no annotation for the root, and has each tag once. */
export function dashboardStrategy(environment: AccessEnvironment): Strategy<DashboardSpec> {
  const { domain } = environment;
  const grants = creatorGrants(domain, ON_DASHBOARD);
  const isPrivate = withoutBasicRoles(domain);
  const normalized = (dashboard: Dashboard): Dashboard =>
    grants.without(withoutRoot(withOwnMembers(dashboard), domain));
  return {
    prepareForCreate: normalized,
    prepareForUpdate: normalized,
    // The administrators of a folder administer the dashboards in it. What a creator has as Editor does not hold on a
    // private one.
    alsoCreate: (dashboard, sent, ctx) =>
      folderOf(dashboard, domain) === undefined || isPrivate(dashboard) ? grants.create(dashboard, sent, ctx) : [],
    consequences: (dashboard, old, ctx) => accessConsequences('Dashboard', dashboard, old, ctx, environment),
    warnings: uidWarnings,
    validate: (dashboard) => [...basicRolesCauses(dashboard, domain), ...grants.causes(dashboard)],
  };
}

/**
 * Warns of the uid of another dashboard, which is left out: who wanted to rename the dashboard would take it for done.
 */
function uidWarnings({ metadata: { name }, spec }: Dashboard): readonly string[] {
  const uid = spec?.['uid'];
  if (typeof uid !== 'string' || uid === '' || uid === name) return [];
  return ['spec.uid: this is not stored, because the name of a dashboard is its uid, and it is another one'];
}

/**
 * Leaves out the members of a saved dashboard that repeat what is in its metadata: the integer id, the name and the
 * generation.
 */
function withOwnMembers(dashboard: Dashboard): Dashboard {
  const { spec } = dashboard;
  if (spec === undefined) return dashboard;
  const { id: _, uid: __, version: ___, ...own } = spec;
  const tags = own.tags && { tags: [...new Set(own.tags)].filter((tag) => tag !== '') };
  return { ...dashboard, spec: { ...own, ...tags } };
}
