"""A client made from the OpenAPI 3.0 document at run time, with Python's own library alone.

It knows nothing of the service but the address of its document. Operations are functions, their
parameters and fields are keyword arguments, and answers are checked against their schemas as far as
types, required fields and closed objects go. Prints what it saw as JSON.
"""

import json
import sys
import urllib.error
import urllib.parse
import urllib.request

url, key, workspace = sys.argv[1:]
with urllib.request.urlopen(url) as response:
    document = json.load(response)
base = document["servers"][0]["url"].rstrip("/")
operations = {
    operation["operationId"]: (method, path, operation, item.get("parameters", []))
    for path, item in document["paths"].items()
    for method, operation in item.items()
    if isinstance(operation, dict) and "operationId" in operation
}
types = {"object": dict, "array": list, "string": str, "integer": int, "boolean": bool}


def resolve(node):
    while "$ref" in node:
        name = node["$ref"]
        node = document
        for part in name[2:].split("/"):
            node = node[part]
    return node


def check(schema, value, at):
    schema = resolve(schema)
    if value is None and schema.get("nullable"):
        return
    for part in schema.get("allOf", []):
        check(part, value, at)
    expected = types.get(schema.get("type"))
    if expected and not isinstance(value, expected):
        raise TypeError(f"{at} is no {schema['type']}: {value!r}")
    if isinstance(value, list):
        for place, item in enumerate(value):
            check(schema.get("items", {}), item, f"{at}[{place}]")
    if isinstance(value, dict) and schema.get("type") == "object":
        properties = schema.get("properties", {})
        missing = [name for name in schema.get("required", []) if name not in value]
        unknown = [name for name in value if name not in properties]
        if missing or (unknown and schema.get("additionalProperties") is False):
            raise TypeError(f"{at} lacks {missing} and has {unknown}")
        for name, schema in properties.items():
            if name in value:
                check(schema, value[name], f"{at}.{name}")


def call(name, /, **values):
    method, path, operation, shared = operations[name]
    query = {}
    for parameter in map(resolve, shared + operation.get("parameters", [])):
        if parameter["name"] not in values:
            continue
        value = values.pop(parameter["name"])
        if parameter["in"] == "query":
            query[parameter["name"]] = value
        else:
            path = path.replace("{" + parameter["name"] + "}", urllib.parse.quote(value, safe=""))
    if query:
        path += "?" + urllib.parse.urlencode(query, doseq=True)
    headers = {"Authorization": "Bearer " + key}
    body = None
    if "requestBody" in operation:
        headers["Content-Type"] = "application/json"
        body = json.dumps(values).encode()
    request = urllib.request.Request(base + path, body, headers, method=method.upper())
    try:
        with urllib.request.urlopen(request) as response:
            status, answer = response.status, json.load(response)
    except urllib.error.HTTPError as error:
        status, answer = error.code, json.load(error)
    declared = resolve(operation["responses"][str(status)])
    check(declared["content"]["application/json"]["schema"], answer, name)
    return answer


fields = {"name": "Rose balm", "brand": "Ana", "sku": "P-1", "barcode": "P-1"}
texts = {"description": "", "information": "Rose oil."}
lists = {"imageIds": [], "tagIds": [], "sales": []}
here = {"workspaceId": workspace}
created = call(
    "create_product", **here, **fields, stock=3, status="INACTIVE", information="Rose oil."
)
one = {**here, "id": created["id"]}
read = call("get_product", **one)
updated = call("update_product", **one, **fields, **texts, **lists, stock=4, status="ACTIVE")
listed = call("list_products", **here, status=["ACTIVE", "DELETED"])
deleted = call("delete_product", **one)
gone = call("get_product", **one)
print(
    json.dumps(
        [
            read["slug"],
            str(updated["stock"]),
            ",".join(product["name"] for product in listed["products"]),
            str(deleted["deleted"]),
            gone["code"],
        ]
    )
)
