// Reads and validates the definition of an API, and prints its properties. This script fetches the
// definition, because the library does not read local addresses.
import SwaggerParser from '@apidevtools/swagger-parser';

const answer = await fetch(process.argv[2]);
const definition = await SwaggerParser.validate(await answer.json());
console.log(JSON.stringify({
  type: answer.headers.get('Content-Type'),
  version: definition.openapi,
  title: definition.info.title,
  paths: Object.keys(definition.paths),
}));
