import { SignOnFailure } from '../../../pkg/identity/signon/failure.js';
import { higherRole, type MappedRights, type OrganizationRole } from '../../../pkg/identity/signon/roles.js';
import { fold } from '../../../pkg/kube/meta/fold.js';
import { isTerminating, type KubeObject } from '../../../pkg/kube/meta/types.js';
import type { ClientTransaction } from '../../../registry/client/transaction.js';
import { INTERNAL_ID_INDEX } from '../../../registry/kinds/registry.js';
import { DEFAULT_ORGANIZATION } from '../../iam/names.js';
import { BY_TITLE } from '../../iam/organization/schema.js';
import { BY_USER, type OrganizationBindingSpec } from '../../iam/organizationbinding/schema.js';
import type { IdentityServices } from '../services.js';

export interface MembershipSync {
  readonly uid: string;
  readonly rights: MappedRights;
  /** Runs a write, unless it would remove the last administrator. `what` names what the user keeps then. */
  readonly write: (what: string, work: () => unknown) => void;
}

/** The most that one commit writes. */
const MOST_ORGANIZATIONS = 1000;

/** Gives the user the mapped roles. If the mapping is complete, memberships that it does not name end. */
export function syncMemberships(
  transaction: ClientTransaction,
  services: IdentityServices,
  sync: MembershipSync,
): void {
  const { uid, rights, write } = sync;
  if (rights.memberships.length === 0) return;
  const wanted = wantedRoles(transaction, services, rights);
  const kind = services.kind('iam/organizationbindings');
  const current = [...transaction.objects<OrganizationBindingSpec>(kind).range({ index: BY_USER, prefix: [uid] })];
  for (const [namespace, role] of wanted) {
    const bindings = transaction.objects<OrganizationBindingSpec>(kind, namespace);
    if (current.some((membership) => membership.metadata.namespace === namespace && isTerminating(membership)))
      continue;
    // The provisioning system decides about those that it keeps.
    if (bindings.find(uid)?.spec?.provisioned === true) continue;
    write(`the role in ${namespace}`, () => bindings.put(uid, (old) => ({ ...old, userRef: { name: uid }, role })));
  }
  if (!rights.isComplete) return;
  for (const { metadata, spec } of current) {
    const { namespace = '' } = metadata;
    if (wanted.has(namespace) || spec?.provisioned === true) continue;
    write(`the membership in ${namespace}`, () => transaction.objects(kind, namespace).delete(uid));
  }
}

/**
 * By namespace. If a person has several roles in an organization, the highest counts. If none of the organizations
 * exists, the person is a Viewer in the first one.
 */
function wantedRoles(
  transaction: ClientTransaction,
  services: IdentityServices,
  { memberships }: MappedRights,
): ReadonlyMap<string, OrganizationRole> {
  const wanted = new Map<string, OrganizationRole>();
  for (const { organization, role } of memberships) {
    for (const { metadata } of organizationsNamed(transaction, services, organization)) {
      wanted.set(metadata.name, higherRole(role, wanted.get(metadata.name)));
    }
  }
  if (wanted.size > MOST_ORGANIZATIONS)
    throw new SignOnFailure('settings', 'org_mapping maps to too many organizations');
  return wanted.size > 0 ? wanted : new Map([[DEFAULT_ORGANIZATION, 'Viewer']]);
}

/** By number, title or name. */
function organizationsNamed(
  { reader }: ClientTransaction,
  { resource }: IdentityServices,
  text: string,
): readonly KubeObject[] {
  const organizations = resource('iam/organizations');
  const named = (): readonly KubeObject[] => {
    const organization = reader.get(organizations, '', text === '' ? DEFAULT_ORGANIZATION : text);
    return organization === undefined ? [] : [organization];
  };
  const choices = [
    () => (text === '*' ? reader.range(organizations, INTERNAL_ID_INDEX, [], MOST_ORGANIZATIONS + 1) : []),
    () => (/^\d{1,15}$/.test(text) ? reader.range(organizations, INTERNAL_ID_INDEX, [Number(text)], 1) : []),
    () => (text === '' ? [] : reader.range(organizations, BY_TITLE, [fold(text)], 1)),
    named,
  ];
  for (const choice of choices) {
    const active = choice().filter((organization) => !isTerminating(organization));
    if (active.length > 0) return active;
  }
  return [];
}
