// Reads the definition of an API, and says what it is once it has found it valid. The
// library itself reads nothing that is on this machine.
import SwaggerParser from '@apidevtools/swagger-parser';

const answer = await fetch(process.argv[2]);
const definition = await SwaggerParser.validate(await answer.json());
console.log(JSON.stringify({
  type: answer.headers.get('Content-Type'),
  version: definition.openapi,
  title: definition.info.title,
  paths: Object.keys(definition.paths),
}));
