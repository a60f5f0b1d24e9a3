import { z } from 'zod';
import type { KindEnvironment } from '../../../../registry/kind.js';
import { positive } from '../../../../registry/legacy/body.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { plainFailure } from '../../../../registry/legacy/errors.js';
import { dependentPlan, type Objects } from '../../../../registry/legacy/objects.js';
import { done, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRoute, routes } from '../../../../registry/legacy/route.js';
import { SYSTEM_USER } from '../../../authentication/bootstrap.js';
import { fold } from '../../fields.js';
import { isUser } from '../../names.js';
import type { OrganizationBindingSpec } from '../../organizationbinding/schema.js';
import { BY_TITLE, type OrganizationSpec } from '../schema.js';
import { type Organization, organizationDto, organizationItem } from './dto.js';
import { ORGANIZATION_ERRORS } from './errors.js';
import { memberRoutes, type Where } from './members.js';

const NameBody = z.object({ name: z.string().min(1) });
const text = z.string().nullish();
const AddressBody = z.object({ address1: text, address2: text, city: text, zipCode: text, state: text, country: text });

type Find = (call: LegacyCall) => Organization;

const organizationsOf = (call: LegacyCall): Objects<OrganizationSpec> => call.objects<OrganizationSpec>('Organization');

/** The caller's organization (`/api/org`), all of them (`/api/orgs`), and their members. */
export function organizationLegacy(_environment: KindEnvironment): readonly LegacyRoute[] {
  const own: Find = (call) => found(organizationsOf(call).peek(call.organization.namespace));
  const byId: Find = (call) => found(organizationsOf(call).byId(call.id('orgId')));
  const ownPlace: Where = (call) => call.organization;
  const placeById: Where = (call) => {
    const organization = byId(call);
    return { id: organizationsOf(call).idOf(organization), namespace: organization.metadata.name };
  };
  return [
    ...routes(
      { errors: ORGANIZATION_ERRORS },
      {
        'GET /org': show(own),
        'PUT /org': rename(own),
        'PUT /org/address': move(own),
        'GET /orgs': (call) => ok(listed(call)),
        'POST /orgs': create,
        'GET /orgs/:orgId': show(byId),
        'GET /orgs/name/:name': show(byName),
        'PUT /orgs/:orgId': rename(byId),
        'PUT /orgs/:orgId/address': move(byId),
        'DELETE /orgs/:orgId': remove,
      },
    ),
    ...memberRoutes('/org', ownPlace),
    ...memberRoutes('/orgs/:orgId', placeById),
  ];
}

function found(organization: Organization | undefined): Organization {
  if (organization === undefined) throw plainFailure(404, 'Organization not found');
  return organization;
}

const byName: Find = (call) => {
  const prefix = [fold(call.param('name').trim())];
  const [organization] = organizationsOf(call).scan({ index: BY_TITLE, prefix });
  return found(organization);
};

const show =
  (find: Find): LegacyHandler =>
  (call) =>
    ok(organizationDto(call, organizationsOf(call).get(find(call).metadata.name)));

const rename =
  (find: Find): LegacyHandler =>
  async (call) => {
    const organizations = organizationsOf(call);
    organizations.require('orgs:write');
    const { name } = find(call).metadata;
    const { name: title } = call.body(NameBody);
    await organizations.update(name, (old) => ({ ...old, spec: { ...old.spec, title } }));
    return done('Organization updated');
  };

const move =
  (find: Find): LegacyHandler =>
  async (call) => {
    const organizations = organizationsOf(call);
    organizations.require('orgs:write');
    const { name } = find(call).metadata;
    const sent = Object.entries(call.body(AddressBody)).filter(([, value]) => value != null && value !== '');
    const address = Object.fromEntries(sent) as NonNullable<OrganizationSpec['address']>;
    await organizations.update(name, (old) => ({ ...old, spec: { ...specOf(old), address } }));
    return done('Address updated');
  };

function specOf({ spec, metadata }: Organization): OrganizationSpec {
  if (spec === undefined) throw new Error(`the organization ${metadata.name} has no spec`);
  return spec;
}

/** By name, a page of those that the caller may see. */
function listed(call: LegacyCall): readonly unknown[] {
  const organizations = organizationsOf(call);
  organizations.require('orgs:read');
  const { query } = call;
  const perPage = positive(query, 'perpage', 1000);
  const from = (positive(query, 'page', 1) - 1) * perPage;
  const wanted = fold(query.get('query') ?? '');
  const name = query.get('name') ?? '';
  const isFound = ({ spec }: Organization): boolean => {
    const title = fold(spec?.title ?? '');
    return title.includes(wanted) && (name === '' || title === fold(name));
  };
  const all = [...organizations.list({ index: BY_TITLE, prefix: [] })].filter(isFound);
  return all.slice(from, from + perPage).map((one) => organizationItem(call, one));
}

/** Whoever makes an organization administers it; both in one commit. */
const create: LegacyHandler = async (call) => {
  const organizations = organizationsOf(call);
  organizations.require('orgs:create');
  const { name: title } = call.body(NameBody);
  const { plan } = organizations;
  const caller = call.objects('User').peek(call.user.uid)?.metadata.name ?? '';
  const plans = [plan.create({ metadata: {}, spec: { title } })];
  if (isUser(call.user, caller)) {
    plans.push(
      dependentPlan((view) => {
        const [made] = view.range(organizations.kind.qualified, BY_TITLE, [fold(title.trim())], 1);
        // Nobody may do anything in an organization that is only being made.
        const bindings = call.objects<OrganizationBindingSpec>(
          'OrganizationBinding',
          made?.metadata.name ?? '',
          SYSTEM_USER,
        );
        return bindings.plan.create({ metadata: { name: caller }, spec: { userRef: { name: caller }, role: 'Admin' } });
      }),
    );
  }
  const [organization] = await call.transact(plans);
  if (organization === undefined) throw new Error('an organization was made but is not told');
  return done('Organization created', { orgId: organizations.idOf(organization) });
};

const remove: LegacyHandler = async (call) => {
  const organizations = organizationsOf(call);
  organizations.require('orgs:delete');
  const organization = organizations.byId(call.id('orgId'));
  if (organization === undefined) throw plainFailure(404, 'Failed to delete organization. ID not found');
  const { name } = organization.metadata;
  if (name === call.organization.namespace) throw plainFailure(400, 'Cannot delete your active organization');
  await organizations.delete(name);
  return done('Organization deleted');
};
