-- From here on, version 0 says that nobody has targeted a feature in an environment, which then serves no variant but `off`. What earlier
-- releases stored with version 0 is served.

UPDATE targetings SET version = 1 WHERE version = 0;
