import { expect } from 'chai';
import { define, redefine, SPEC, versionOf } from '../custom/definition.js';
import type { Answer } from '../harness/answer.js';
import { bodyOf } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { foldersOf } from './folders.js';

const as = (what: string, version = 'v1'): string => `application/json;as=${what};g=meta.k8s.io;v=${version}`;

const FORMS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  JSON: { accept: 'application/json' },
  'indented JSON': { accept: 'application/json', 'user-agent': 'Mozilla/5.0' },
  YAML: { accept: 'application/yaml' },
  'a table': { accept: as('Table') },
  'a table of v1beta1': { accept: as('Table', 'v1beta1') },
  metadata: { accept: as('PartialObjectMetadata') },
  'metadata in YAML': { accept: 'application/yaml;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' },
};

oneStore('the forms of one object', (server) => {
  const folders = foldersOf(server);
  const tagOf = ({ headers }: Answer): string => String(headers['etag']);

  // Promise: contract 1.6
  it('have a tag each, and 304 is for the same form only', async () => {
    await folders.make('a');
    const tags = new Map<string, string>();
    for (const [form, headers] of Object.entries(FORMS)) {
      const answer = await folders.get('a', { headers });
      expect([answer.status, answer.headers['vary']], form).to.deep.equal([200, 'Accept, User-Agent']);
      tags.set(form, tagOf(answer));
    }
    expect(new Set(tags.values()).size).to.equal(tags.size);
    for (const [form, headers] of Object.entries(FORMS)) {
      for (const [other, tag] of tags) {
        const { status } = await folders.get('a', { headers: { ...headers, 'if-none-match': tag } });
        // A table tells the age of the object, which may go on meanwhile.
        const expected = form !== other ? [200] : form.includes('table') ? [200, 304] : [304];
        expect(status, `${form}, with the tag of ${other}`).to.be.oneOf(expected);
      }
    }
  });

  // Promise: contract 1.6
  it('have tags of which each is right in If-Match until the object changes', async () => {
    const made = await folders.make('b');
    const put = async (tag: string, title: string): Promise<Answer> => {
      const { resourceVersion: _, ...metadata } = made.metadata;
      return folders.put('b', { ...made, metadata, spec: { title } }, { headers: { 'if-match': tag } });
    };
    for (const [form, headers] of Object.entries(FORMS)) {
      const tag = tagOf(await folders.get('b', { headers }));
      expect((await put(tag, form)).status, form).to.equal(200);
      expect((await put(tag, 'late')).status, form).to.equal(412);
    }
    for (const tag of ['"-"', '"-1"', '"x-1"']) expect((await put(tag, 'odd')).status, tag).to.equal(412);
  });

  // Promise: contract 1.6
  it('have a new tag when the definition of the kind gets a default', async () => {
    const { definition, objects, object } = await define(server, { words: {} });
    bodyOf(await objects.create(object('a')), 201);
    const before = tagOf(await objects.get('a'));
    const withDefault = {
      ...SPEC,
      properties: { ...(SPEC['properties'] as object), size: { type: 'integer', default: 7 } },
    };
    await redefine(server, definition, { spec: { versions: [versionOf('v1', withDefault)] } });
    const after = await objects.get('a', { headers: { 'if-none-match': before } });
    expect([bodyOf(after, 200).spec, tagOf(after) === before]).to.deep.equal([{ title: 'a', size: 7 }, false]);
    expect((await objects.get('a', { headers: { 'if-none-match': tagOf(after) } })).status).to.equal(304);
  });

  it('are as many of a refusal, of a Status, and of what the server says of itself', async () => {
    await folders.make('gone');
    const paths = [
      '/version',
      '/apis/folder.svc.app/v1beta1/namespaces/default/folders/none',
      '/apis/none/v1/x',
      '/none',
    ];
    const bodies = new Set<string>();
    for (const [form, headers] of Object.entries(FORMS)) {
      const answers = await Promise.all([
        ...paths.map((path) => server().call('GET', path, { headers })),
        server().call('GET', paths[1] as string, { headers, user: null }),
        folders.create({ kind: 'Folder' }, { headers }),
      ]);
      for (const { status, headers: own } of answers) {
        expect([status, String(own['vary'])], form).to.deep.equal([status, 'Accept, User-Agent']);
      }
      bodies.add(answers[1]?.text ?? '');
    }
    expect(bodies.size).to.be.above(2);
    expect((await folders.remove('gone')).headers['vary']).to.equal('Accept, User-Agent');
  });

  // Promise: contract 1.6
  it('differ in lists and in documents of discovery, too', async () => {
    expect((await folders.list()).headers['vary']).to.equal('Accept, User-Agent');
    const tags = await Promise.all(
      ['application/json', 'application/yaml'].map(async (accept) =>
        tagOf(await server().call('GET', '/apis/folder.svc.app/v1beta1', { headers: { accept } })),
      ),
    );
    expect(tags[0]).not.to.equal(tags[1]);
  });
});
