import { MASTERS_GROUP, SERVER_NAME } from '../../pkg/identity/authn/user.js';
import { forbidden, type GroupResource } from '../../pkg/kube/status/errors.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import type { WriteContext } from '../../registry/kinds/strategy.js';
import type { UserSpec } from './user/schema.js';

/** The cause that distinguishes this refusal from missing permissions. */
export const PROVISIONED = 'Provisioned';

/** The setting `scim.manual_changes`. Absent: warn. */
interface Rules {
  readonly scim?: { readonly manualChanges: 'allow' | 'warn' | 'refuse' };
}

/** An object that a provisioning system keeps. */
interface Kept {
  readonly gr: GroupResource;
  readonly name: string;
}

/**
 * Warns of a change by hand of what a provisioning system keeps, or throws 403, as the setting `scim.manual_changes`
 * says. Changes by the system, and by the server itself, are no changes by hand.
 */
export function checkManualChange({ gr, name }: Kept, ctx: WriteContext, { scim }: Rules, isReleased = false): void {
  const { manualChanges = 'warn' } = scim ?? {};
  if (ctx.isProvisioning === true || ctx.user.name === SERVER_NAME) return;
  if (isReleased) {
    ctx.warn?.(`${gr.resource} ${JSON.stringify(name)} ${RELEASED}`);
    return;
  }
  if (manualChanges === 'allow') return;
  if (manualChanges === 'warn') {
    ctx.warn?.(`${gr.resource} ${JSON.stringify(name)} ${KEPT}, which may change it back: change it there`);
    return;
  }
  const error = forbidden(gr, name, `it ${KEPT}: change it there, or set scim.manual_changes`);
  const { code, reason, message, details } = error;
  const causes = [{ reason: PROVISIONED, message: KEPT }];
  // The legacy API sends the message because of the identifier: it is no lack of permissions.
  throw new ApiError({ code, reason, message, details: { ...details, causes, uid: 'provisioning.kept' } });
}

const KEPT = 'is kept by a provisioning system (SCIM)';
const RELEASED =
  'is no longer kept by a provisioning system (SCIM), unless that takes it again: end its assignment there, too';

/** Whether an administrator of the server takes an object from a provisioning system. No setting refuses this. */
export function isRelease<Spec extends { readonly provisioned?: boolean | undefined }>(
  now: Spec | undefined,
  old: Spec | undefined,
  ctx: WriteContext,
): boolean {
  return old?.provisioned === true && now?.provisioned !== true && isProvisioner(ctx);
}

/**
 * Throws 403 for callers who set or clear the fields by which a provisioning system finds what it keeps, and by which
 * its groups give roles. Only the system, the server itself and its administrators decide about them.
 */
export function checkProvisioner<Spec>(
  { gr, name }: Kept,
  now: Spec | undefined,
  old: Spec | undefined,
  fields: readonly (keyof Spec & string)[],
  ctx: WriteContext,
): void {
  const field = fields.find((one) => (now?.[one] || undefined) !== (old?.[one] || undefined));
  if (field === undefined || isProvisioner(ctx)) return;
  throw forbidden(gr, name, `only a provisioning system and server administrators decide about spec.${field}`);
}

/** Whether a provisioning system writes, or somebody who could give the permission to provision. */
export function isProvisioner({ isProvisioning, user }: WriteContext): boolean {
  return isProvisioning === true || user.name === SERVER_NAME || user.groups.includes(MASTERS_GROUP);
}

/** Whether a change gives another value to one of the fields that the system keeps. */
export function changesAny<Spec>(
  now: Spec | undefined,
  old: Spec | undefined,
  fields: readonly (keyof Spec)[],
): boolean {
  return fields.some((field) => now?.[field] !== old?.[field]);
}

/** The spec of a user whom no provisioning system keeps. */
export function withoutProvisioner(spec: UserSpec): UserSpec {
  const { provisioned: _, provisionedBy: __, ...rest } = spec;
  return rest;
}
