import { expect } from 'chai';
import { matches, parseAccept } from './accept.js';

const essences = (header: string | undefined): string[] => parseAccept(header).map((r) => `${r.type}/${r.subtype}`);

describe('parseAccept', () => {
  it('accepts anything if the header is absent or empty', () => {
    expect(essences(undefined)).to.deep.equal(['*/*']);
    expect(essences('  ')).to.deep.equal(['*/*']);
  });

  it('orders by quality, then by specificity, then by position', () => {
    expect(essences('*/*, application/*, text/html;q=0.5, application/json, application/yaml')).to.deep.equal([
      'application/json',
      'application/yaml',
      'application/*',
      '*/*',
      'text/html',
    ]);
  });

  it('drops clauses with q=0 and malformed clauses', () => {
    expect(essences('application/json;q=0, rubbish, text/plain;q=2, text/html;q=x, text/css')).to.deep.equal([
      'text/css',
    ]);
  });

  it('reads parameters, also quoted ones, and separates q from them', () => {
    const [range] = parseAccept('Application/JSON; as=Table ;v=v1;g="meta.k8s.io";x="a,b;\\"c";q=0.5');
    expect(range?.type).to.equal('application');
    expect(range?.quality).to.equal(0.5);
    expect(Object.fromEntries(range?.parameters ?? [])).to.deep.equal({
      as: 'Table',
      v: 'v1',
      g: 'meta.k8s.io',
      x: 'a,b;"c',
    });
  });

  it('limits the number of clauses', () => {
    expect(parseAccept(Array(1000).fill('a/b').join(','))).to.have.length(32);
  });
});

describe('matches', () => {
  it('matches anything by a wildcard', () => {
    const [json, application, any, text] = ['application/json', 'application/*', '*/*', 'text/*'].map(
      (header) => parseAccept(header)[0]!,
    );
    expect([json, application, any, text].map((range) => matches(range!, 'application', 'json'))).to.deep.equal([
      true,
      true,
      true,
      false,
    ]);
  });
});
