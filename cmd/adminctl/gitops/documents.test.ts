import { expect } from 'chai';
import { manifestsOf } from './documents.js';

const folder = (name: string): string =>
  `apiVersion: folder.svc.app/v1beta1\nkind: Folder\nmetadata: {name: ${name}}\nspec: {title: T}\n`;
const read = (text: string) =>
  manifestsOf(text, 'a.yaml').map(({ manifest, origin }) => [manifest.metadata.name, origin]);

describe('manifests', () => {
  it('are the documents of a YAML text, without those that are empty or comments', () => {
    expect(read(folder('one'))).to.deep.equal([['one', 'a.yaml']]);
    const text = `# first\n---\n${folder('one')}---\n# none\n\n---\n${folder('two')}---\n`;
    expect(read(text)).to.deep.equal([
      ['one', 'a.yaml, document 1'],
      ['two', 'a.yaml, document 2'],
    ]);
  });

  it('are the items of a list, in YAML and JSON', () => {
    const items = ['one', 'two'].map((name) => ({ apiVersion: 'v1', kind: 'Folder', metadata: { name } }));
    const expected = [
      ['one', 'a.yaml, item 1'],
      ['two', 'a.yaml, item 2'],
    ];
    const list = { apiVersion: 'v1', kind: 'List', items };
    for (const text of [JSON.stringify(list), `---\n${JSON.stringify(list)}`])
      expect(read(text)).to.deep.equal(expected);
    expect(read(JSON.stringify({ ...list, kind: 'FolderList' }))).to.deep.equal(expected);
  });

  it('are read as the server reads them: the key y stays text, and yes is a boolean', () => {
    expect(read('{apiVersion: v1, kind: Team, metadata: {name: flow}}')).to.deep.equal([['flow', 'a.yaml']]);
    const [found] = manifestsOf(`${folder('one')}more: {y: yes, when: 2026-01-31}\n`, 'a.yaml');
    expect(found?.manifest['more']).to.deep.equal({ y: true, when: '2026-01-31' });
  });

  it('are refused with file, document and line', () => {
    const wrong =
      (text: string): (() => unknown) =>
      () =>
        manifestsOf(text, 'a.yaml');
    expect(wrong(`${folder('one')}---\na: [`)).to.throw(/^a\.yaml, document 2: the text is not valid YAML: line 6/);
    expect(wrong(`${folder('one')}kind: Team\n`)).to.throw('a.yaml: duplicate field kind');
    expect(wrong('kind: Folder\nmetadata: {name: x}\n')).to.throw('a.yaml: this is no object: apiVersion');
    expect(wrong('just text')).to.throw('a.yaml: this is no object');
    expect(() => manifestsOf('{"kind": ', 'a.json')).to.throw('a.json: the text is not valid JSON');
  });
});
