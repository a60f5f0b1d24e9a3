import type { Kind } from '../registry/kinds/kind.js';
import { alertRule } from './alerting/alertrule/kind.js';
import { annotation } from './annotation/annotation/kind.js';
import { customResourceDefinition } from './apiextensions/customresourcedefinition/kind.js';
import { applySet } from './apply/applyset/kind.js';
import { stars } from './collections/stars/kind.js';
import { lease } from './coordination/lease/kind.js';
import { configMap } from './core/configmap/kind.js';
import { namespace } from './core/namespace/kind.js';
import { secret } from './core/secret/kind.js';
import { service } from './core/service/kind.js';
import { dashboard } from './dashboard/dashboard/kind.js';
import { libraryElement } from './dashboard/libraryelement/kind.js';
import type { ApisEnvironment } from './environment.js';
import { event, newEvents } from './events/event/kind.js';
import { folder } from './folder/folder/kind.js';
import { organization } from './iam/organization/kind.js';
import { organizationBinding } from './iam/organizationbinding/kind.js';
import { role } from './iam/role/kind.js';
import { roleBinding } from './iam/rolebinding/kind.js';
import { serviceAccount } from './iam/serviceaccount/kind.js';
import { ssoSetting } from './iam/ssosetting/kind.js';
import { team } from './iam/team/kind.js';
import { teamBinding } from './iam/teambinding/kind.js';
import { user } from './iam/user/kind.js';
import { appliedMembers } from './internal/appliedmembers/kind.js';
import { credential } from './internal/credential/kind.js';
import { dataKey } from './internal/datakey/kind.js';
import { externalIdentity } from './internal/externalidentity/kind.js';
import { lastSeen } from './internal/lastseen/kind.js';
import { serverLease } from './internal/lease/kind.js';
import { retainedVersion } from './internal/retainedversion/kind.js';
import { sealedSecret } from './internal/sealedsecret/kind.js';
import { session } from './internal/session/kind.js';
import { signingKey } from './internal/signingkey/kind.js';
import { storeSchema } from './internal/storeschema/kind.js';
import { token } from './internal/token/kind.js';
import { usedSignOn } from './internal/usedsignon/kind.js';
import { preferences } from './preferences/preferences/kind.js';
import { queryHistory } from './queryhistory/queryhistory/kind.js';

/** The list of kinds. Each kind in it has storage, watch, discovery, OpenAPI, tables and a conformance run. */
const FACTORIES = [
  folder,
  dashboard,
  alertRule,
  libraryElement,
  user,
  organization,
  namespace,
  service,
  secret,
  configMap,
  lease,
  newEvents,
  event,
  organizationBinding,
  team,
  teamBinding,
  serviceAccount,
  role,
  roleBinding,
  ssoSetting,
  preferences,
  stars,
  queryHistory,
  annotation,
  applySet,
  appliedMembers,
  credential,
  token,
  retainedVersion,
  session,
  lastSeen,
  serverLease,
  signingKey,
  storeSchema,
  dataKey,
  sealedSecret,
  externalIdentity,
  usedSignOn,
] as readonly ((environment: ApisEnvironment) => Kind)[];

export function kinds(environment: ApisEnvironment, more: readonly Kind[] = []): readonly Kind[] {
  const all: Kind[] = [...FACTORIES.map((factory) => factory(environment)), ...more];
  // Definitions show the kinds that are compiled in, and cannot take their names.
  all.push(customResourceDefinition(environment, () => all));
  return all;
}
