import { expect } from 'chai';
import type { Kind } from '../../kinds/kind.js';
import type { Received, Sent } from '../../testing/served.js';
import { pathOf, type Shop } from './library.js';

export interface Planned {
  readonly action: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

export const TYPE = { apiVersion: 'apply.svc.app/v1beta1', kind: 'ApplyRequest' };
export const manifest = ({ apiVersion, kind }: Kind, name: string, spec: object = {}, metadata: object = {}) => ({
  apiVersion,
  kind,
  metadata: { name, ...metadata },
  spec,
});
export const path = ({ kinds }: Shop, set = 'fleet', part = 'apply') => pathOf(kinds.set, set, part);
export const post = (shop: Shop, body: unknown, sent: Sent = {}, set = 'fleet'): Promise<Received> =>
  shop.send('POST', path(shop, set), { ...sent, body });
export const apply = (shop: Shop, objects: readonly unknown[], sent: Sent = {}, spec: object = {}): Promise<Received> =>
  post(shop, { ...TYPE, spec: { objects, ...spec } }, sent);
export const statusOf = ({ status, body }: Received) => {
  expect(status, body.message).to.be.below(300);
  return body.status as {
    readonly resourceVersion?: string;
    readonly summary: object;
    readonly plan: readonly Planned[];
  };
};
export const planOf = (answer: Received) =>
  statusOf(answer).plan.map(({ action, kind, name }) => `${action} ${kind} ${name}`);
export const refusal = async (answer: Promise<Received>): Promise<readonly unknown[]> => {
  const { status, body } = await answer;
  return [status, body.message];
};
