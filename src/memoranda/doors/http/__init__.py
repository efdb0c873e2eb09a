"""The verbs over HTTP: routes, OpenAPI and validation come from the registry; nothing is written per verb."""
