import { expect } from 'chai';
import { OrganizationSpec } from './organization/schema.js';
import { RoleSpec } from './role/schema.js';
import { ServiceAccountSpec } from './serviceaccount/schema.js';
import { TeamSpec } from './team/schema.js';

describe('the names of teams, organizations, service accounts and roles', () => {
  const taken = (title: string): readonly boolean[] => [
    TeamSpec.safeParse({ title }).success,
    OrganizationSpec.safeParse({ title }).success,
    ServiceAccountSpec.safeParse({ title, role: 'Viewer' }).success,
    RoleSpec.safeParse({ title }).success,
    RoleSpec.safeParse({ name: title }).success,
  ];

  it('have no characters that are not shown', () => {
    for (const hidden of ['\u200b', '\u202e', '\u00ad', '\u2066', '\u{e0041}'])
      expect(taken(`ops${hidden}x`)).to.deep.equal([false, false, false, false, false]);
  });

  it('may have letters of all scripts, emoji and joiners', () => {
    for (const name of ['Ops', 'Анна', '運用', '👩\u200d🚀', '\u0645\u06cc\u200c\u062e', '\u2764\ufe0f'])
      expect(taken(name), name).to.deep.equal([true, true, true, true, true]);
  });
});
