import { expect } from 'chai';
import { load } from 'js-yaml';
import type { Answer } from '../../harness/answer.js';
import { accepted, bodyOf, changingNothing, expectStatus } from '../../harness/resource.js';
import { objectOf, type Subject, specOf } from './subject.js';

const as = (type: string) => ({ accept: `application/json;as=${type};v=v1;g=meta.k8s.io` });

export function representing(subject: Subject): void {
  const { resource, examples, kind, server, answers } = subject;
  const created = async () => bodyOf(await resource.create(objectOf(subject, examples.full, subject.name())), 201);
  const own = (kind.columns ?? []).map(({ name }) => name);
  const columns = ['Name', ...own, ...(kind.hasOwnAge === true ? [] : ['Age'])];

  describe('answers', () => {
    // Promise: contract 2
    it('can be a Table with the columns of the kind, for an object and for a list', async () => {
      const { metadata } = await created();
      const query = { fieldSelector: `metadata.name=${metadata.name}` };
      for (const answer of [
        await resource.get(metadata.name, { headers: as('Table') }),
        await resource.list({ headers: as('Table'), query }),
      ]) {
        const table = bodyOf(answer, 200);
        expect(table).to.include({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' });
        expect(table.columnDefinitions.map(({ name }) => name)).to.deep.equal(columns);
        expect(table.rows).to.have.lengthOf(1);
        expect(table.rows[0]?.cells).to.have.lengthOf(columns.length);
        expect(table.rows[0]?.cells[0]).to.equal(metadata.name);
        expect(table.rows[0]?.object).to.include({ kind: 'PartialObjectMetadata' });
        expect(table.rows[0]?.object.metadata).to.deep.equal(metadata);
      }
    });

    it('can be metadata only', async () => {
      const { metadata } = await created();
      const one = bodyOf(await resource.get(metadata.name, { headers: as('PartialObjectMetadata') }), 200);
      expect(one).to.deep.equal({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata });
      const query = { fieldSelector: `metadata.name=${metadata.name}` };
      const list = bodyOf(await resource.list({ headers: as('PartialObjectMetadataList'), query }), 200);
      expect(list.kind).to.equal('PartialObjectMetadataList');
      expect(list.items).to.deep.equal([one]);
    });

    // Promise: contract 2
    it('can be a Table or metadata for writes', async () => {
      const { metadata } = await created();
      const patch = { spec: specOf(examples.changed, metadata.name) };
      const table = bodyOf(await resource.merge(metadata.name, patch, { headers: as('Table') }), 200);
      expect(table.rows[0]?.object.metadata.generation).to.equal(2);
      const gone = bodyOf(await resource.remove(metadata.name, { headers: as('PartialObjectMetadata') }), 200);
      if (answers.deletion === 'Status') expect(gone.kind, 'a Status is never transformed').to.equal('Status');
      else
        expect(gone)
          .to.include({ kind: 'PartialObjectMetadata' })
          .and.have.nested.property('metadata.uid', metadata.uid);
    });

    // Promise: contract 1.6
    it('can be YAML, also for writes and errors', async () => {
      const headers = { accept: 'application/yaml' };
      const read = ({ status, text, headers: sent }: Answer): unknown => [status, sent['content-type'], load(text)];
      const object = await created();
      const { name } = object.metadata;
      const yaml = 'application/yaml';
      expect(read(await resource.get(name, { headers }))).to.deep.equal([200, yaml, object]);
      const query = { fieldSelector: `metadata.name=${name}` };
      const { metadata, ...list } = bodyOf(await resource.list({ query }), 200);
      const [, , listed] = read(await resource.list({ headers, query })) as [number, string, typeof list];
      expect({ ...listed, metadata }).to.deep.equal({ metadata, ...list });
      const missing = await resource.get('no-such-name', { headers });
      expect(read(missing)).to.deep.equal([404, yaml, (await resource.get('no-such-name')).json()]);
      const changed = await resource.merge(name, { metadata: { labels: { a: 'b' } } }, { headers });
      expect(read(changed)).to.deep.equal([200, yaml, bodyOf(await resource.get(name), 200)]);
    });

    it('in other representations are refused before the write', async () => {
      const { metadata } = await created();
      const { name } = metadata;
      const cases = [{ accept: 'text/html' }, as('Nonsense')];
      for (const headers of cases) {
        await changingNothing(server(), async () => {
          expectStatus(await resource.get(name, { headers }), 406, 'NotAcceptable', 'application/json');
          expectStatus(await resource.list({ headers }), 406, 'NotAcceptable');
          const object = objectOf(subject, examples.minimal, subject.name());
          expectStatus(await resource.create(object, { headers }), 406, 'NotAcceptable');
          expectStatus(
            await resource.put(name, objectOf(subject, examples.minimal, name), { headers }),
            406,
            'NotAcceptable',
          );
          expectStatus(
            await resource.merge(name, { spec: specOf(examples.changed, name) }, { headers }),
            406,
            'NotAcceptable',
          );
          expectStatus(await resource.remove(name, { headers }), 406, 'NotAcceptable');
          expectStatus(await resource.removeAll({ headers }), 406, 'NotAcceptable');
        });
      }
    });

    it('with a wrong includeObject are refused before the write', async () => {
      const { metadata } = await created();
      const options = { headers: as('Table'), query: { includeObject: 'Everything' } };
      await changingNothing(server(), async () => {
        expectStatus(await resource.get(metadata.name, options), 400, 'BadRequest', 'includeObject');
        expectStatus(await resource.list(options), 400, 'BadRequest', 'includeObject');
        expectStatus(await resource.remove(metadata.name, options), 400, 'BadRequest', 'includeObject');
      });
    });

    // Promise: contract 1.6
    it('are indented for curl and for pretty=true', async () => {
      const { metadata } = await created();
      for (const options of [{ query: { pretty: true } }, { headers: { 'user-agent': 'curl/8' } }]) {
        const answer = accepted(await resource.get(metadata.name, options), 200);
        expect(answer.text).to.match(/^\{\n {2}"/);
        expect(answer.json().metadata).to.deep.equal(metadata);
      }
    });

    it('are also indented if they are tables, metadata or failures', async () => {
      const { metadata } = await created();
      for (const [one, all] of [
        ['Table', 'Table'],
        ['PartialObjectMetadata', 'PartialObjectMetadataList'],
      ] as const) {
        for (const answer of [
          await resource.get(metadata.name, { headers: { ...as(one), 'user-agent': 'curl/8' } }),
          await resource.list({ headers: { ...as(all), 'user-agent': 'curl/8' } }),
        ]) {
          expect(accepted(answer, 200).text).to.match(/^\{\n {2}"/);
          expect(answer.json().kind).to.be.oneOf([one, all]);
        }
      }
      const missing = await resource.get('not-there', { query: { pretty: true } });
      expect([missing.status, missing.text.startsWith('{\n  "kind": "Status"')]).to.deep.equal([404, true]);
    });

    // Promise: contract 1.6
    it('to HEAD have the headers of GET, and no body', async () => {
      const { metadata } = await created();
      const head = await server().call('HEAD', resource.path(metadata.name));
      expect([head.status, head.text]).to.deep.equal([200, '']);
      const { headers } = await resource.get(metadata.name);
      expect(described(head.headers)).to.deep.equal(described(headers));
    });
  });
}

/** The headers that are the same in each answer. HEAD need not send content-length. */
function described(headers: Answer['headers']): Answer['headers'] {
  const { date: _, 'audit-id': __, 'content-length': ___, ...rest } = headers;
  return rest;
}
