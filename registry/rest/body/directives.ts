import { badRequest } from '../../../pkg/kube/status/errors.js';

/**
 * Throws 400 for a directive of strategic merge patches at any depth, because this server does not do what it asks for.
 */
export function refuseDirectives(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (name.startsWith('$'))
      throw badRequest(`the directive ${name.slice(0, 100)} of strategic merge patches is not supported`);
    refuseDirectives(member);
  }
}
