import { expect } from 'chai';
import { refusal, requestWith, targetNamed } from '../testing/requests.js';
import { ifMatch } from './if-match.js';
import { checkNamespaceInBody, isDryRun, writeOptions } from './write-options.js';

const optionsOf = (query: string, headers = {}) =>
  writeOptions(requestWith({ method: 'POST', query, headers }), targetNamed('a'));

describe('the options of a write', () => {
  it('are a dry run only for All, any number of times', () => {
    expect(['', 'dryRun=All', 'dryRun=All&dryRun=All'].map((query) => optionsOf(query).isDryRun)).to.deep.equal([
      false,
      true,
      true,
    ]);
    for (const query of ['dryRun=', 'dryRun=&dryRun=All', 'dryRun=all', 'dryRun=true', 'dryRun=All&dryRun=Some'])
      expect(
        refusal(() => optionsOf(query)),
        query,
      ).to.deep.equal([422, 'dryRun']);
    expect(isDryRun([], 'DeleteOptions')).to.equal(false);
  });

  it('name the field manager, of at most 128 bytes of printable characters', () => {
    expect(optionsOf(`fieldManager=${encodeURIComponent('é'.repeat(64))}`).fieldManager).to.equal('é'.repeat(64));
    expect(optionsOf(`fieldManager=${'m'.repeat(128)}`).fieldManager).to.equal('m'.repeat(128));
    expect(optionsOf('', { 'user-agent': 'kubectl/v1.32.0 (linux/amd64)' }).fieldManager).to.equal('kubectl');
    expect(optionsOf('fieldManager=').fieldManager).to.equal('unknown');
    for (const manager of ['m'.repeat(129), 'a\tb', 'a\u007f', 'é'.repeat(65)])
      expect(refusal(() => optionsOf(`fieldManager=${encodeURIComponent(manager)}`))).to.deep.equal([
        422,
        'fieldManager',
      ]);
  });

  it('are refused before the write if the client accepts no answer', () => {
    expect(refusal(() => optionsOf('', { accept: 'image/png' }))).to.deep.equal([406]);
    const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    expect(refusal(() => optionsOf('includeObject=Everything', table))).to.deep.equal([400]);
    expect(refusal(() => optionsOf('includeObject=Everything'))).to.deep.equal([]);
  });

  it('accept a list as the answer only to the DELETE of a collection', () => {
    const accept = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
    const codes = (method: string, name: string) =>
      refusal(() => writeOptions(requestWith({ method, headers: { accept } }), targetNamed(name)));
    expect(codes('DELETE', '')).to.deep.equal([]);
    expect(codes('DELETE', 'a')).to.deep.equal([406]);
    expect(codes('POST', '')).to.deep.equal([406]);
  });
});

describe('the namespace in a body', () => {
  const check = (scope: string, namespace?: string) => {
    const target = targetNamed('a', { scope });
    return refusal(() =>
      checkNamespaceInBody(target, { metadata: { name: 'a', ...(namespace === undefined ? {} : { namespace }) } }),
    );
  };

  it('is that of the path, or absent', () => {
    expect([check('Namespaced'), check('Namespaced', ''), check('Namespaced', 'here')]).to.deep.equal([[], [], []]);
    expect(check('Namespaced', 'there')).to.deep.equal([400]);
  });

  it('does not matter in an object without a namespace, as in Kubernetes', () => {
    expect([check('Cluster'), check('Cluster', ''), check('Cluster', 'here')]).to.deep.equal([[], [], []]);
  });
});

describe('If-Match', () => {
  const matched = (value?: string) =>
    ifMatch(requestWith({ headers: value === undefined ? {} : { 'if-match': value } }));

  it('names one version, or any', () => {
    expect([undefined, '', '*', ' * ', '"7"', ' "7" ', '""'].map(matched)).to.deep.equal([
      undefined,
      undefined,
      undefined,
      undefined,
      '7',
      '7',
      '',
    ]);
  });

  it('is refused if it is no strong entity tag, or several', () => {
    for (const text of ['7', 'W/"7"', '"7", "8"', '"7"x', 'x"7"', '"'])
      expect(
        refusal(() => matched(text)),
        text,
      ).to.deep.equal([400]);
  });
});
