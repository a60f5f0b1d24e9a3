import { expect } from 'chai';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { partialMetadataOf } from './partial.js';
import { bookmarkTable, objectTable, type TableOptions, type Tabular, tableOf } from './table.js';

const NOW = new Date('2026-06-01T12:00:00Z');
const OPTIONS: TableOptions = { includeObject: 'Metadata', version: 'v1', now: NOW };

const KIND: Tabular = {
  columns: [
    {
      name: 'Title',
      type: 'string',
      description: 'Its title',
      priority: 0,
      cell: (object) => (object.spec as { title: string }).title,
    },
    {
      name: 'Seen',
      type: 'date',
      description: 'When it was seen',
      priority: 1,
      cell: (object) => (object.spec as { seen?: string }).seen ?? null,
    },
  ],
};

const folder = (name: string, spec: unknown): KubeObject => ({
  apiVersion: 'folder.svc.app/v1beta1',
  kind: 'Folder',
  metadata: { name, namespace: 'default', resourceVersion: '7', creationTimestamp: '2026-06-01T11:57:30Z' },
  spec,
});
const A = folder('a', { title: 'Alpha', seen: '2026-05-31T12:00:00Z' });
const B = folder('b', { title: 'Beta' });

const COLUMNS = [
  {
    name: 'Name',
    type: 'string',
    format: 'name',
    description: 'Name of the object, unique among its kind in its namespace.',
    priority: 0,
  },
  { name: 'Title', type: 'string', format: '', description: 'Its title', priority: 0 },
  { name: 'Seen', type: 'date', format: '', description: 'When it was seen', priority: 1 },
  { name: 'Age', type: 'date', format: '', description: 'How long ago the object was created.', priority: 0 },
];

describe('tableOf', () => {
  // Promise: contract 2
  it('has a row for each object, with its metadata', () => {
    expect(
      tableOf(KIND, [A, B], { resourceVersion: '9', continue: 'next', remainingItemCount: 3 }, OPTIONS),
    ).to.deep.equal({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '9', continue: 'next', remainingItemCount: 3 },
      columnDefinitions: COLUMNS,
      rows: [
        {
          cells: ['a', 'Alpha', '24h', '2m30s'],
          object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: A.metadata },
        },
        {
          cells: ['b', 'Beta', '<unknown>', '2m30s'],
          object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: B.metadata },
        },
      ],
    });
  });

  it('has an empty array of rows, not null, without objects', () => {
    expect(tableOf(KIND, [], { resourceVersion: '9' }, OPTIONS).rows).to.deep.equal([]);
  });

  it('has whole objects or none, as includeObject says', () => {
    const rowsWith = (includeObject: 'Object' | 'None'): unknown =>
      tableOf(KIND, [A], {}, { ...OPTIONS, includeObject }).rows;
    expect(rowsWith('Object')).to.deep.equal([{ cells: ['a', 'Alpha', '24h', '2m30s'], object: A }]);
    expect(rowsWith('None')).to.deep.equal([{ cells: ['a', 'Alpha', '24h', '2m30s'] }]);
  });

  it('shows Name and Age for kinds without columns', () => {
    const table = tableOf({}, [A], {}, OPTIONS);
    expect(table.columnDefinitions.map(({ name }) => name)).to.deep.equal(['Name', 'Age']);
    expect(table.rows[0]?.cells).to.deep.equal(['a', '2m30s']);
  });

  it('shows a time that is not there, or is no text, as unknown', () => {
    const column = { name: 'When', type: 'date' as const, description: '', priority: 0 };
    for (const value of ['', null, 7, true]) {
      const [row] = tableOf({ columns: [{ ...column, cell: () => value }] }, [A], {}, OPTIONS).rows;
      expect(row?.cells, String(value)).to.deep.equal(['a', '<unknown>', '2m30s']);
    }
  });

  it('has no revision if its object has none', () => {
    const { resourceVersion: _, ...metadata } = A.metadata;
    expect(objectTable(KIND, { ...A, metadata }, OPTIONS).metadata).to.deep.equal({});
  });

  it('uses v1beta1 throughout if the client accepts that version', () => {
    const table = tableOf(KIND, [A], {}, { ...OPTIONS, version: 'v1beta1' });
    expect(table.apiVersion).to.equal('meta.k8s.io/v1beta1');
    expect(table.rows[0]?.object?.apiVersion).to.equal('meta.k8s.io/v1beta1');
  });
});

describe('tables of a watch', () => {
  it('have one object at its revision, and no headers after the first table', () => {
    const first = objectTable(KIND, A, OPTIONS);
    expect(first.metadata).to.deep.equal({ resourceVersion: '7' });
    expect(first.columnDefinitions).to.have.length(4);
    expect(objectTable(KIND, A, { ...OPTIONS, noHeaders: true }).columnDefinitions).to.deep.equal([]);
  });

  it('have a row without a name for a bookmark, and call no column for it', () => {
    const metadata = { resourceVersion: '12', annotations: { 'k8s.io/initial-events-end': 'true' } };
    const table = bookmarkTable(
      KIND,
      { apiVersion: A.apiVersion, kind: A.kind, metadata },
      { ...OPTIONS, noHeaders: true },
    );
    expect(table).to.deep.equal({
      kind: 'Table',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { resourceVersion: '12' },
      columnDefinitions: [],
      rows: [
        {
          cells: ['', null, null, '<unknown>'],
          object: { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata },
        },
      ],
    });
  });
});

describe('partial metadata', () => {
  it('keeps nothing but the metadata', () => {
    expect(partialMetadataOf(A)).to.deep.equal({
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: A.metadata,
    });
  });
});
