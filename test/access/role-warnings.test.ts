import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { customResourceDefinition } from '../../apis/apiextensions/customresourcedefinition/index.js';
import { role } from '../../apis/iam/role/kind.js';
import { actionScopes } from '../../apis/iam/role/permission-warnings.js';
import { ACCESS, kinds } from '../../apis/kinds.js';
import { environmentWith } from '../../apis/test-environment.js';
import { runSteps } from '../../pkg/system/yielding/steps.js';
import type { Kind } from '../../registry/kinds/kind.js';
import { contextWith, objectOfKind } from '../../registry/testing/write-context.js';

const ENVIRONMENT = environmentWith();
const KINDS = kinds(ENVIRONMENT);
const ROLES = role(ENVIRONMENT, () => KINDS);
const APIS = new URL('../../apis/', import.meta.url);

function warningsOf(
  permissions: readonly (readonly [action: string, scope: string])[],
  definitions: readonly string[] = [],
): readonly string[] {
  const spec = { permissions: permissions.map(([action, scope]) => ({ action, scope })) };
  const [make] = customResourceDefinition.kinds;
  const definition = make?.(ENVIRONMENT, () => KINDS) as Kind;
  const ctx = contextWith(
    definitions.map((name) => [
      definition,
      objectOfKind(definition, name, {}, { labels: { 'svc.app/containment': 'folders' } }),
    ]),
  );
  const steps = ROLES.strategy?.consequences?.(objectOfKind(ROLES, 'ops', spec), undefined, ctx);
  return steps === undefined ? [] : runSteps(steps);
}

describe('a role', () => {
  it('is warned of with an action that this server does not know', () => {
    expect(
      warningsOf([
        ['folders:read', 'folders:*'],
        ['nonsense:foo', ''],
        ['folder:read', 'folders:*'],
      ]),
    ).to.deep.equal([
      'spec.permissions[1].action: this server knows no action nonsense:foo, so it allows nothing',
      'spec.permissions[2].action: this server knows no action folder:read, so it allows nothing: did you mean folders:read?',
    ]);
  });

  it('is warned of with an action on a scope that its objects never have', () => {
    expect(
      warningsOf([
        ['folders:read', 'teams:*'],
        ['teams:write', 'folders:uid:ops'],
      ]),
    ).to.deep.equal([
      'spec.permissions[0].scope: folders:read has no effect on teams:*, so it allows nothing',
      'spec.permissions[1].scope: teams:write has no effect on folders:uid:ops, so it allows nothing',
    ]);
  });

  it('is not warned of with wildcards, and with actions on every scope that has an effect', () => {
    expect(
      warningsOf([
        ['*', '*'],
        ['nonsense:*', ''],
        ['folders:*', 'teams:*'],
        ['dashboards:read', 'folders:uid:ops'],
        ['dashboards:read', 'dashboards:uid:a'],
        ['annotations:read', 'dashboards:uid:a'],
        ['library.panels:read', 'library.panels:uid:a'],
        ['alert.rules:read', 'folders:*'],
        ['org.users:read', 'users:uid:ann'],
        ['orgs.preferences:read', 'orgs:uid:default'],
        ['serviceaccounts.permissions:read', 'serviceaccounts:uid:bot'],
        ['settings:read', 'settings:auth.okta:*'],
        ['roles:write', 'permissions:type:delegate'],
        ['customresourcedefinitions:read', ''],
        ['queryhistory:read', ''],
        ['users:logout', 'global.users:*'],
      ]),
    ).to.deep.equal([]);
  });

  it('may name the actions of kinds that are defined, and of no others', () => {
    const action = 'reports.example.com:read';
    const scopes = ['reports.example.com:*', 'folders:uid:ops'];
    const permissions = scopes.map((scope) => [action, scope] as const);
    expect(warningsOf(permissions, ['reports.example.com'])).to.deep.equal([]);
    expect(warningsOf(permissions)).to.have.length(2);
  });

  it('is warned of in a bounded number of words', () => {
    const many = Array.from({ length: 1000 }, (_, index) => [`nonsense:a${index}`.replace(/\d/g, 'b'), ''] as const);
    const warnings = warningsOf(many);
    expect(warnings).to.have.length(9);
    expect(warnings.at(-1)).to.equal('992 more permissions allow nothing');
  });

  it('is not warned of with any action that the code of the server asks for', () => {
    const actions = actionScopes(KINDS, ACCESS);
    const words = new Set([...actions.keys()].map((action) => action.split(/[:.]/)[0]));
    const files = readdirSync(APIS, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !/(\.test|examples)\.ts$/.test(file),
    );
    const asked = files.flatMap((file) => [
      ...readFileSync(new URL(file, APIS), 'utf8').matchAll(/'([a-z]+(?:\.[a-z]+)?:[a-z]+)'/g),
    ]);
    const texts = new Set(asked.map(([, text = '']) => text).filter((text) => words.has(text.split(/[:.]/)[0])));
    expect(texts.size).to.be.greaterThan(80);
    expect([...texts].filter((text) => !actions.has(text))).to.deep.equal([]);
  });
});
