import { ref, type Schema, type Schemas } from '../../../pkg/kube/openapi/schema.js';
import { type Attribute, GROUP, type ResourceSchema, USER } from '../../../pkg/scim/schema.js';
import { MOST_OPERATIONS } from '../discovery.js';

const text = (description: string): Schema => ({ type: 'string', description });
const whole = (description: string): Schema => ({ type: 'integer', format: 'int64', description });
const listOf = (items: Schema, description: string): Schema => ({ type: 'array', items, description });
const object = (description: string, properties: Schemas, required: readonly string[] = []): Schema => ({
  type: 'object',
  description,
  properties,
  ...(required.length > 0 && { required }),
});
const SCHEMAS = listOf({ type: 'string' }, 'The schema of the message.');
const OPEN: Schema = { description: 'Of any type.' };

/** The attributes of a resource as the server reads and answers them. */
function resource({ description, attributes }: ResourceSchema): Schema {
  return members(description, attributes);
}

function members(description: string, attributes: readonly Attribute[]): Schema {
  const required = attributes.filter((one) => one.required && one.type !== 'boolean').map(({ name }) => name);
  return object(description, Object.fromEntries(attributes.map((one) => [one.name, schemaOf(one)])), required);
}

function schemaOf(attribute: Attribute): Schema {
  const { description, multiValued, mutability } = attribute;
  const access = {
    ...(mutability === 'readOnly' && { readOnly: true }),
    ...(mutability === 'writeOnly' && { writeOnly: true }),
  };
  return multiValued ? { ...listOf(oneOf(attribute), description), ...access } : { ...oneOf(attribute), ...access };
}

function oneOf({ type, description, canonicalValues, subAttributes = [] }: Attribute): Schema {
  switch (type) {
    case 'complex':
      return members(description, subAttributes);
    case 'boolean':
      return { type: 'boolean', description };
    case 'dateTime':
      return { ...text(description), format: 'date-time' };
    default:
      return { ...text(description), ...(canonicalValues && { example: canonicalValues[0] }) };
  }
}

const list = (name: string): Schema =>
  object('A page of a list.', {
    schemas: SCHEMAS,
    totalResults: whole('How many there are in all pages.'),
    itemsPerPage: whole('How many are in this one.'),
    startIndex: whole('The number of the first one, from 1. Absent with a cursor.'),
    nextCursor: text('The cursor of the next page, if a cursor was sent and there is one.'),
    Resources: listOf(ref(name), 'The resources.'),
  });

const operation = object(
  'One change.',
  {
    op: { ...text('What to do.'), enum: ['add', 'replace', 'remove'] },
    path: text('The attribute, such as `members[value eq "…"]`. Without it, the value has the attributes.'),
    value: OPEN,
  },
  ['op'],
);

const bulkOperation = object(
  'One request.',
  {
    method: { ...text('The method.'), enum: ['POST', 'PUT', 'PATCH', 'DELETE'] },
    path: text('`/Users` or `/Groups`, with an id if the method is not POST.'),
    bulkId: text('A name for what a POST makes. Others name it as `bulkId:NAME`.'),
    version: text('As the header If-Match.'),
    data: { type: 'object', description: 'The body.' },
  },
  ['method', 'path'],
);

/** The schemas of bodies and answers, by name. Those of resources follow from their attributes. */
export const SCIM_SCHEMAS: Schemas = {
  'scim.User': resource(USER),
  'scim.Group': resource(GROUP),
  'scim.Users': list('scim.User'),
  'scim.Groups': list('scim.Group'),
  'scim.Resources': list('scim.Resource'),
  'scim.Resource': object('A resource of any type.', { id: text('The id.') }),
  'scim.PatchOp': object(
    'Changes, one after another.',
    { schemas: SCHEMAS, Operations: listOf(operation, 'Changes.') },
    ['schemas', 'Operations'],
  ),
  'scim.SearchRequest': object(
    'What a list asks for. The members mean the same as the parameters of GET.',
    {
      schemas: SCHEMAS,
      filter: text('As the parameter.'),
      sortBy: text('As the parameter.'),
      sortOrder: text('As the parameter.'),
      startIndex: whole('As the parameter.'),
      count: whole('As the parameter.'),
      cursor: text('As the parameter.'),
      attributes: listOf({ type: 'string' }, 'As the parameter.'),
      excludedAttributes: listOf({ type: 'string' }, 'As the parameter.'),
    },
    ['schemas'],
  ),
  'scim.BulkRequest': object(
    'Requests, each in a commit of its own.',
    {
      schemas: SCHEMAS,
      failOnErrors: whole('After so many failures, the rest is not done.'),
      Operations: { ...listOf(bulkOperation, 'The requests.'), maxItems: MOST_OPERATIONS },
    },
    ['schemas', 'Operations'],
  ),
  'scim.BulkResponse': object('The answers.', {
    schemas: SCHEMAS,
    Operations: listOf({ type: 'object', description: 'One answer.' }, 'In the order of the requests.'),
  }),
  'scim.Error': object('Why the server refuses a request.', {
    schemas: SCHEMAS,
    status: text('The status of HTTP.'),
    scimType: text('The kind of the failure, for programs (RFC 7644 §3.12).'),
    detail: text('The reason, for people.'),
  }),
};
