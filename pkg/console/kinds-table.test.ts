import { expect } from 'chai';
import { arranged, type Row } from './client/pages/kinds/table.js';
import { requireAddress } from './client/pages/people/e-mail.js';

const row = (name: string, title: string): Row => ({ metadata: { name }, key: `/${name}`, cells: [name, title, 3] });
const ROWS = [row('01m8mrcpn3x29v4k7q2z8w5y6t', 'Load test 078'), row('load-29', 'Other'), row('b', 'Load test 029')];
const found = (text: string): readonly string[] => arranged(ROWS, text, undefined).map(({ metadata }) => metadata.name);

describe('the filter of a table of objects', () => {
  it('finds words of cells, and a name that the server has made only as a whole', () => {
    expect(found('29')).to.have.members(['load-29', 'b']);
    expect(found('load test 29')).to.deep.equal(['b']);
    expect(found('01m8mrcpn3x29v4k7q2z8w5y6t')).to.deep.equal(['01m8mrcpn3x29v4k7q2z8w5y6t']);
    expect(found('3')).to.have.length(3);
  });

  it('and its order follow what is shown, where that is a title and not an id', () => {
    const row = (name: string): Row => ({ key: `/${name}`, metadata: { name }, cells: [`User/${name}`] });
    const titles = new Map([
      ['a', 'user Zoe'],
      ['z', 'user Ann'],
    ]);
    const shown = ({ metadata: { name } }: Row): string | undefined => titles.get(name);
    const names = (text: string): readonly string[] =>
      arranged(['a', 'z'].map(row), text, { column: 0, isDescending: false }, shown).map(
        ({ metadata }) => metadata.name,
      );
    expect(names('')).to.deep.equal(['z', 'a']);
    expect(names('zoe')).to.deep.equal(['a']);
    expect(names('z'), 'an id that is named as a whole').to.deep.equal(['z', 'a']);
  });
});

describe('an e-mail address that is typed', () => {
  it('has a name and a host', () => {
    for (const text of ['', 'vera@example.com', ' vera@host ']) expect(() => requireAddress(text)).not.to.throw();
    for (const text of ['not-an-email', 'a@', '@b', 'a b@c']) expect(() => requireAddress(text)).to.throw(/no e-mail/);
  });
});
