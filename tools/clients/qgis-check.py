#!/usr/bin/env python3
"""Lets QGIS add the collections of a running server, page through them, filter and identify.

usage: QT_QPA_PLATFORM=offscreen qgis-check.py URL FOLDER      (see run)
"""
import json, os, sys
from qgis.core import (QgsApplication, QgsFeatureRequest, QgsGeometry, QgsPointXY, QgsProject, QgsRectangle, QgsVectorLayer)

url, folder = sys.argv[1:3]
failures = 0


def expect(condition, text):
    global failures
    print(("ok    " if condition else "WRONG ") + text, flush=True)
    failures += not condition


def source(name, more=""):
    return f"pageSize='1000' srsname='OGC:CRS84' typename='{name}' url='{url}' {more}"


QgsApplication.setPrefixPath("/usr", True)
application = QgsApplication([], False)
application.initQgis()
for name in ["cities", "quakes", "cells", "tracks"]:
    rows = json.load(open(f"{folder}/{name}.geojson"))["features"]
    layer = QgsVectorLayer(source(name), name, "OAPIF")
    expect(layer.isValid(), f"QGIS adds {name}")
    if not layer.isValid():
        print(layer.dataProvider() and layer.dataProvider().error().message())
        continue
    QgsProject.instance().addMapLayer(layer)
    features = list(layer.getFeatures())
    expect(len(features) == len(rows), f"QGIS reads {len(rows)} {name} page by page")
    names = {field.name() for field in layer.fields()}
    expect(set(rows[0]["properties"]) - {"id"} <= names, f"QGIS knows the properties of {name}")

cities = json.load(open(f"{folder}/cities.geojson"))["features"]
box = QgsRectangle(5, 45, 11, 48)
inside = [row for row in cities if box.contains(QgsPointXY(*row["geometry"]["coordinates"][:2]))]
layer = QgsVectorLayer(source("cities", "restrictToRequestBBOX='1'"), "box", "OAPIF")
found = list(layer.getFeatures(QgsFeatureRequest(box)))
expect(len(found) == len(inside), f"QGIS finds {len(inside)} cities in a rectangle")
layer = QgsVectorLayer(source("cities"), "filter", "OAPIF")
large = [row for row in cities if (row["properties"]["population"] or 0) > 1_000_000]
expect(layer.setSubsetString('"population" > 1000000'), "QGIS sets a filter")
found = list(layer.getFeatures())
expect(len(found) == len(large), f"QGIS filters {len(large)} large cities")
layer = QgsVectorLayer(source("cities"), "identify", "OAPIF")
row = large[3]
place = QgsPointXY(*row["geometry"]["coordinates"][:2])
near = QgsRectangle(place.x() - 1e-4, place.y() - 1e-4, place.x() + 1e-4, place.y() + 1e-4)
found = [f for f in layer.getFeatures(QgsFeatureRequest(near)) if f.geometry().distance(QgsGeometry.fromPointXY(place)) < 1e-6]
expect([f["name"] for f in found] == [row["properties"]["name"]], f"QGIS identifies {row['properties']['name']}")
print(f"{failures} wrong")
sys.stdout.flush()
# QGIS may crash when it ends while layers exist, which says nothing about the server.
os._exit(failures > 0)
