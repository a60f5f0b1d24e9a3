import type { Kind, KindEnvironment, KindFactory } from '../registry/kind.js';
import { folder } from './folder/kind.js';
import { credential } from './internal/credential/kind.js';
import { lastSeen } from './internal/lastseen/kind.js';
import { lease } from './internal/lease/kind.js';
import { session } from './internal/session/kind.js';
import { signingKey } from './internal/signingkey/kind.js';
import { token } from './internal/token/kind.js';
import { namespace } from './namespace/kind.js';
import { organization } from './organization/kind.js';
import { organizationBinding } from './organizationbinding/kind.js';
import { preferences } from './preferences/kind.js';
import { role } from './role/kind.js';
import { roleBinding } from './rolebinding/kind.js';
import { serviceAccount } from './serviceaccount/kind.js';
import { team } from './team/kind.js';
import { teamBinding } from './teambinding/kind.js';
import { user } from './user/kind.js';

/** The one list of kinds: a kind that stands here has storage, watch, discovery, OpenAPI, tables and a conformance run. */
const FACTORIES = [
  folder,
  user,
  organization,
  namespace,
  organizationBinding,
  team,
  teamBinding,
  serviceAccount,
  role,
  roleBinding,
  preferences,
  credential,
  token,
  session,
  lastSeen,
  lease,
  signingKey,
] as readonly KindFactory[];

export function kinds(environment: KindEnvironment): readonly Kind[] {
  return FACTORIES.map((factory) => factory(environment));
}
