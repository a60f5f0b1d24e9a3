import { expect } from 'chai';
import { fieldManagerOf } from './field-manager.js';

const nameOf = (query: string, agent?: string): string =>
  fieldManagerOf({ query: new URLSearchParams(query), headers: agent === undefined ? {} : { 'user-agent': agent } });

describe('the manager of the fields that a request writes', () => {
  it('is the one that the request names, or else the program that sends it', () => {
    expect(nameOf('fieldManager=flux', 'kubectl/v1.32.0')).to.equal('flux');
    expect(nameOf('', 'kubectl/v1.32.0 (linux/amd64)')).to.equal('kubectl');
    expect(nameOf('fieldManager=', 'curl')).to.equal('curl');
    expect([nameOf(''), nameOf('', '/x')]).to.deep.equal(['unknown', 'unknown']);
  });

  it('has the printable characters of a program, at most 128 of them', () => {
    expect(nameOf('', 'naïve\ttool/1')).to.equal('navetool');
    expect(nameOf('', 'x'.repeat(1000))).to.equal('x'.repeat(128));
  });
});
