import { z } from 'zod';
import { fold } from '../../../../pkg/kube/meta/fold.js';
import { isTerminating } from '../../../../pkg/kube/meta/types.js';
import type { ObjectClient } from '../../../../registry/client/objects.js';
import { positive } from '../../../../registry/legacy/body.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { plainFailure, requireAction } from '../../../../registry/legacy/errors.js';
import { done, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRouter, legacyRouter, routes } from '../../../../registry/legacy/router.js';
import { SYSTEM_USER } from '../../../authentication/bootstrap.js';
import type { IamServices } from '../../legacy/services.js';
import { isUser } from '../../names.js';
import { BY_TITLE, type OrganizationSpec } from '../schema.js';
import { accountRoutes } from './accounts.js';
import { ORGANIZATION, ORGANIZATION_CREATED, ORGANIZATIONS } from './answers.js';
import { ORGANIZATION_ANSWERED, type Organization, organizationDto, organizationItem } from './dto.js';
import { ORGANIZATION_ERRORS } from './errors.js';
import { memberRoutes, type OrganizationOf } from './members.js';
import { ORGANIZATION_NOTES } from './notes.js';

const NameBody = z.object({ name: z.string().min(1) });
const text = z.string().nullish();
const AddressBody = z.object({ address1: text, address2: text, city: text, zipCode: text, state: text, country: text });

/** Returns the name of the organization of a request, or `NONE`. */
type Find = (call: LegacyCall) => string;

/** No organization has this name. */
const NONE = '';

const organizationsOf = (call: LegacyCall): ObjectClient<OrganizationSpec> =>
  call.objects<OrganizationSpec>('iam/Organization');

/** `/api/org`, the caller's organization; `/api/orgs`, all organizations; and the members of both. */
export function organizationRouter(services: IamServices): LegacyRouter {
  const own: Find = (call) => call.organization.namespace;
  const byId: Find = (call) => nameOf(organizationOfPath(call));
  const ownPlace: OrganizationOf = (call) => call.organization;
  const placeById: OrganizationOf = (call) => ({ id: call.id('orgId'), namespace: byId(call) || undefined });
  return legacyRouter(
    services,
    routes(
      { notes: ORGANIZATION_NOTES, errors: ORGANIZATION_ERRORS, answerMembers: ORGANIZATION_ANSWERED },
      {
        'GET /org': {
          single: true,
          answer: ORGANIZATION,
          summary: 'Reads the organization of the caller',
          handle: show(own),
        },
        'PUT /org': { summary: 'Renames the organization of the caller', body: NameBody, handle: rename(own) },
        'PUT /org/address': {
          summary: 'Changes the address of the organization of the caller',
          body: AddressBody,
          handle: move(own),
        },
        'GET /orgs': {
          answer: ORGANIZATIONS,
          summary: 'Lists organizations',
          query: ['query', 'name', 'page', 'perpage'],
          handle: (call) => ok(listed(call)),
        },
        'POST /orgs': {
          answer: ORGANIZATION_CREATED,
          summary: 'Creates an organization',
          body: NameBody,
          handle: create,
        },
        'GET /orgs/:orgId': {
          single: true,
          answer: ORGANIZATION,
          summary: 'Reads an organization',
          handle: show(byId),
        },
        'GET /orgs/name/:name': {
          single: true,
          answer: ORGANIZATION,
          summary: 'Finds an organization by name',
          handle: show(byName),
        },
        'PUT /orgs/:orgId': { summary: 'Renames an organization', body: NameBody, handle: rename(byId) },
        'PUT /orgs/:orgId/address': {
          summary: 'Changes the address of an organization',
          body: AddressBody,
          handle: move(byId),
        },
        'DELETE /orgs/:orgId': { summary: 'Deletes an organization with everything in it', handle: remove },
      },
    ),
    accountRoutes(services),
    memberRoutes('/org', ownPlace),
    memberRoutes('/orgs/:orgId', placeById),
  );
}

/** An organization that is being deleted counts as absent while its contents are still being removed. */
const nameOf = (organization: Organization | undefined): string =>
  organization === undefined || isTerminating(organization) ? NONE : organization.metadata.name;

/** No organization has a negative number. */
function organizationOfPath(call: LegacyCall): Organization | undefined {
  if (/^-[0-9]{1,15}$/.test(call.param('orgId'))) return undefined;
  return organizationsOf(call).findById(call.id('orgId'));
}

const byName: Find = (call) => {
  const prefix = [fold(call.param('name').trim())];
  const [organization] = organizationsOf(call).range({ index: BY_TITLE, prefix });
  return nameOf(organization);
};

/** The organization, if the caller may use the verb on it. Other callers get 403, whether it exists or not. */
function found(
  organizations: ObjectClient<OrganizationSpec>,
  verb: 'get' | 'update' | 'delete',
  name: string,
): Organization {
  if (name === NONE) authorizeOnAll(organizations, verb);
  return organizations.getFor(verb, name);
}

/**
 * Throws 403 unless the caller may use the verb on all organizations: only such callers have the permission on this
 * one.
 */
function authorizeOnAll(organizations: ObjectClient<OrganizationSpec>, verb: 'get' | 'update' | 'delete'): void {
  const { apiVersion, kind } = organizations.kind;
  organizations.authorize(verb, { apiVersion, kind, metadata: { name: '.' } });
}

const show =
  (find: Find): LegacyHandler =>
  (call) =>
    ok(organizationDto(call, found(organizationsOf(call), 'get', find(call))));

const rename =
  (find: Find): LegacyHandler =>
  async (call) => {
    const organizations = organizationsOf(call);
    requireAction(organizations, 'orgs:write');
    const organization = found(organizations, 'update', find(call));
    const { name } = organization.metadata;
    const { name: title } = call.body(NameBody);
    await organizations.update(name, (old) => ({ ...old, spec: { ...old.spec, title } }));
    keepNumber(call, organization);
    call.keeps({ address: organizationDto(call, organization)['address'] });
    return done('Organization updated');
  };

const move =
  (find: Find): LegacyHandler =>
  async (call) => {
    const organizations = organizationsOf(call);
    requireAction(organizations, 'orgs:write');
    const organization = found(organizations, 'update', find(call));
    const { name } = organization.metadata;
    const body = call.body(AddressBody);
    const sent = Object.entries(body).filter(([, value]) => value != null && value !== '');
    const address = Object.fromEntries(sent) as NonNullable<OrganizationSpec['address']>;
    await organizations.update(name, (old) => ({ ...old, spec: { ...specOf(old), address } }));
    keepNumber(call, organization);
    return done('Address updated');
  };

/**
 * Warns of another number in the body: scripts send what they have read from another server, where the organization has
 * another number.
 */
function keepNumber(call: LegacyCall, organization: Organization): void {
  const id = organizationsOf(call).idOf(organization);
  call.keeps({ id, orgId: id });
}

function specOf({ spec, metadata }: Organization): OrganizationSpec {
  if (spec === undefined) throw new Error(`the organization ${metadata.name} has no spec`);
  return spec;
}

/** A page of the organizations that the caller may view, by title. */
function listed(call: LegacyCall): readonly unknown[] {
  const organizations = organizationsOf(call);
  requireAction(organizations, 'orgs:read');
  const { query } = call;
  const perPage = positive(query, 'perpage', 1000);
  const from = (positive(query, 'page', 1) - 1) * perPage;
  const wanted = fold(query.get('query') ?? '');
  const name = query.get('name') ?? '';
  const isFound = (organization: Organization): boolean => {
    const title = fold(organization.spec?.title ?? '');
    return !isTerminating(organization) && title.includes(wanted) && (name === '' || title === fold(name));
  };
  const all = [...organizations.list({ index: BY_TITLE, prefix: [] })].filter(isFound);
  return all.slice(from, from + perPage).map((organization) => organizationItem(call, organization));
}

/** A user who creates an organization becomes its administrator, in the same commit. */
const create: LegacyHandler = async (call) => {
  const organizations = organizationsOf(call);
  requireAction(organizations, 'orgs:create');
  const { name: title } = call.body(NameBody);
  const name = call.objects('iam/User').find(call.user.uid)?.metadata.name ?? '';
  const organization = await call.transact((transaction) => {
    const created = transaction.objects<OrganizationSpec>('iam/Organization').create({ metadata: {}, spec: { title } });
    if (isUser(call.user, name)) {
      // The server makes the binding, because nobody has rights in a new organization.
      const bindings = transaction.trusted(SYSTEM_USER).objects('iam/OrganizationBinding', created.metadata.name);
      bindings.create({ metadata: { name }, spec: { userRef: { name }, role: 'Admin' } });
    }
    return created;
  });
  return done('Organization created', { orgId: organizations.idOf(organization) });
};

const remove: LegacyHandler = async (call) => {
  const organizations = organizationsOf(call);
  requireAction(organizations, 'orgs:delete');
  const { name } = toDelete(call, organizations).metadata;
  if (name === call.organization.namespace) throw plainFailure(400, 'Cannot delete your active organization');
  await organizations.delete(name);
  return done('Organization deleted');
};

function toDelete(call: LegacyCall, organizations: ObjectClient<OrganizationSpec>): Organization {
  const name = nameOf(organizationOfPath(call));
  if (name !== NONE) return found(organizations, 'delete', name);
  authorizeOnAll(organizations, 'delete');
  throw plainFailure(404, 'Failed to delete organization. ID not found');
}
