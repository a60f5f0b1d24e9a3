import { expect } from 'chai';
import { groupedWarnings } from './client/pages/folders/actions/access-warnings.js';

const GAIN = 'User/01 "Vera Viewer" "vera" (Edit). If they should not, delete their RoleBindings, or make it private';
const at = (name: string, change: string): string =>
  `these gain access to the folder "${name}" and what lies in it: ${change}`;

describe('warnings about access', () => {
  it('name the place, say once what is the same at several places, and keep all others', () => {
    const other = GAIN.replace('Edit', 'View');
    const { groups, others } = groupedWarnings([
      at('a', GAIN),
      'too long',
      at('b', GAIN),
      at('a', GAIN),
      at('c', other),
    ]);
    expect(groups.map(({ places }) => places.map(({ word, name }) => `${word} ${name}`))).to.deep.equal([
      ['folder a', 'folder b'],
      ['folder c'],
    ]);
    expect(groups[0]?.about.changes[0]).to.deep.include({ title: 'Vera Viewer', detail: 'vera', to: 'Edit' });
    expect(others).to.deep.equal(['too long']);
  });

  it('have the titles of custom roles in the levels, whatever these contain', () => {
    const text =
      'User/01 "Vera" "vera" (View and "Ops (a, b) -> \\"all\\"" -> "Ops writers"), Team/t "T" ("x", 2 people)';
    const { groups } = groupedWarnings([
      `these change their access to the folder "a": ${text}`,
      'these gain access to the folder "a": User/01 "Vera" "vera" ("Ops -> writers")',
    ]);
    const [change, gain] = groups.map(({ about }) => about);
    expect(change?.changes[0]).to.include({ from: 'View and Ops (a, b) -> "all"', to: 'Ops writers' });
    expect(gain?.changes[0]).to.include({ from: '', to: 'Ops -> writers' });
    expect(gain?.isCut).to.equal(false);
  });

  it('are about service accounts, dashboards and the organization, too', () => {
    const texts = ['service account "robot"', 'dashboard "board"', 'organization "default"'].map(
      (what) => `these lose access to the ${what}: BasicRole/Viewer (View, 2 people and service accounts)`,
    );
    const { groups } = groupedWarnings(texts);
    expect(groups[0]?.places.map(({ word }) => word)).to.deep.equal(['service account', 'dashboard', 'organization']);
    expect(groups[0]?.about.changes[0]?.people).to.equal('2 people and service accounts');
  });
});
