import { expect } from 'chai';
import type { Body } from '../harness/body.js';
import { bodyOf, freshName, type Resource, type ResourceKind, resourceOf } from '../harness/resource.js';
import type { CallOptions, Server } from '../harness/server.js';

export const RULES: ResourceKind = {
  apiVersion: 'rules.alerting.svc.app/v1beta1',
  resource: 'alertrules',
  scope: 'Namespaced',
};

export const FOLDER = 'svc.app/folder';

/** The smallest spec of a rule with this title. */
export function ruleSpec(title: string) {
  const data = [{ refId: 'A', datasourceUid: 'metrics', model: { expr: 'up == 0' } }];
  return { title, ruleGroup: 'group', condition: 'A', data };
}

/** Makes alert rules, and finds out which of them exist. */
export function rulesOn(server: () => Server) {
  const resource: Resource = resourceOf(server, RULES);
  return {
    resource,
    /** The name of a new rule in the folder. */
    async add(folder: string, more: object = {}, options: Omit<CallOptions, 'body'> = {}): Promise<string> {
      return (await this.made(folder, more, options)).metadata.name;
    },
    async made(folder: string, more: object = {}, options: Omit<CallOptions, 'body'> = {}): Promise<Body> {
      const name = freshName('alert');
      const metadata = { name, annotations: { [FOLDER]: folder } };
      const spec = { ...ruleSpec(name), ...more };
      return bodyOf(
        await resource.create({ apiVersion: RULES.apiVersion, kind: 'AlertRule', metadata, spec }, options),
        201,
      );
    },
    async expectGone(...names: readonly string[]): Promise<void> {
      for (const name of names) expect((await resource.get(name)).status, name).to.equal(404);
    },
    async expectThere(...names: readonly string[]): Promise<void> {
      for (const name of names) expect((await resource.get(name)).status, name).to.equal(200);
    },
  };
}
